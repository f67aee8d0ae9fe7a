"""How good the engines are: figures over labelled sets, printed and kept in docs/quality.md."""
