"""What a storyboard says, in words.

summary     a number or an array as a short text
captions    the sentence of an act
asides      what a lesson says beside it
printed     the whole storyboard as text
"""
