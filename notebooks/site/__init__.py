"""The course as a folder of pages that any file server can show: made to be read, on a phone, a
tablet, a desktop and on paper, with players that need no kernel.

    python -m notebooks.site dist/site         what `make site` runs
"""
