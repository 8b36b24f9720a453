"""How tapes of other libraries are read: a folder per library, behind `minitape/engine/recording.py`.

Users import a recorder by its short name: `import minitape.tensorflow`.
"""
