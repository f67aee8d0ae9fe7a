"""The Peewee store: the only room that speaks SQL."""
