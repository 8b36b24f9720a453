"""The graph as a picture.

sheets      which boxes and lines stand in which drawing
drawings    their sizes and places, written as rows of the storyboard
layout      finds the places: Graphviz where it is installed, else `layered`
layered     a layered drawing in plain Python
turn        a long drawing, broken into rows
svg         the static picture
"""
