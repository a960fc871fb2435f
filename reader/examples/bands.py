# SPDX-License-Identifier: MIT
"""The band of a table's members, from the weights that cgctab-events writes into events.

The name of a member's weight says what the member means, in Les Houches files, in HepMC files that
a shower makes of them, and in the columns of --csv:

    central_NAME      the first member, from which the band is counted
    replica_NAME      a draw from the distribution of a fit: the band runs from the 16th to the 84th
                      percentile of the draws
    hessian_NAME      members in pairs, in this order: down and up by the root of the summed squares
                      of the largest fall and rise within each pair
    variation_NAME    another dipole: the band runs from the smallest to the largest result
    comparison_NAME   takes no part in the band

These are the rules of cgct_uncertainty_of, which needs the table.
"""
import numpy as np


def band(results):
    """Low and high of a quantity, arrays of its shape, from its results with each weight of the
    events: a dictionary of arrays by the names of weights, in the order of the events' weights.
    Weights of other names take no part.  None where no weight is that of a member."""
    def of(role):
        return np.array([v for name, v in results.items() if name.startswith(role + "_")])
    replicas, pairs, variations = of("replica"), of("hessian"), of("variation")
    if len(replicas):
        return np.percentile(replicas, [16, 84], axis=0)
    if len(pairs):
        change = (pairs - of("central")).reshape(-1, 2, *pairs.shape[1:])
        rise, fall = (np.maximum(sign * change, 0).max(axis=1) for sign in (1, -1))
        center = of("central")[0]
        return np.array([center - np.sqrt((fall**2).sum(axis=0)),
                         center + np.sqrt((rise**2).sum(axis=0))])
    if len(variations):
        every = np.concatenate([of("central"), variations])
        return np.array([every.min(axis=0), every.max(axis=0)])
    return None
