# IPython runs this in each kernel that starts where minitape is installed: a cell of an exercise
# may be the first that is run.
from IPython import get_ipython

__import__("minitape_widgets.run_first", fromlist=[""]).load(get_ipython())
