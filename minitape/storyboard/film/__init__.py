"""What was seen while a program ran: its tapes, its plays, where it stopped, and its text.

film        looks on while tapes record and are played
recorded    what one tape recorded, and one play of it
raised      where an error ended the program
source      the files and cells that took part, and which of their lines
"""
