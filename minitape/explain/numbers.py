def explain(case, graph, goals, path):
    return None
