"""What becomes of a step, as the program's text and its names tell: followed from the call of
`gradient` on (`applied`), why weights stay (`unmoved`), what may be meant (`doubts`), what to write
instead (`mended`).
"""
