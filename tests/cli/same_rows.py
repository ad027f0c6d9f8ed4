"""same_rows.py TABLES PROFILE PROFILE…: whether the tables (pattern,count) of the profiles have the same rows; with how many."""

import sqlite3
import sys

tables, profiles = sys.argv[1].split(","), sys.argv[2:]
for table in tables:
    rows = [sqlite3.connect(profile).execute(f"SELECT * FROM {table}").fetchall() for profile in profiles]
    differ = [profile for profile, of in zip(profiles, rows) if of != rows[0]]
    print(f"{table}: {len(rows[0])} rows," if rows[0] else f"{table}: no rows,", f"others in {' '.join(differ)}" if differ else "the same in all")
