# %% [markdown]
# # Throwing a ball
#
# *About 15 minutes.* A page of a course in physics, not of minitape's: it shows how exercises of your own reach
# students.
#
# ## How fast is it after one second?
#
# A ball that is thrown upwards with 20 metres per second is `20 * t - 5 * t * t` metres high after `t` seconds.
# Its speed is the slope of its height: how much the height changes when `t` changes a little. A tape finds it.

# %%
import minitape as tf
from minitape.exercises import exercise

t = tf.Variable(1.0)
with tf.GradientTape() as tape:
    height = 20 * t - 5 * t * t
print("speed:", tape.gradient(height, t).numpy())

# %% [markdown]
# Try `t = 0` and `t = 2` in the cell above before you go on.

# %% exercise="throwing.speed"

# %% exercise="throwing.top"
