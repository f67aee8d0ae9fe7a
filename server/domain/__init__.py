"""The pure middle: functions over frozen dataclasses, without I/O, clock or randomness unless passed in."""
