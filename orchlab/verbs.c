/* SPDX-License-Identifier: Apache-2.0 */

/* The table of verbs. */

#include <config.h>

#include "orchlab/verb.h"

const struct verb lab_verbs[] = {
    {"run", "FILE", 1, 1, run_options, "Run a scenario, record and judge it",
     "FILE may describe several runs: seeds, a sweep, variants.  Each has a "
     "results file\n"
     "in the folder; a run whose complete results exist is left out.  Ctrl-C "
     "ends a run as\ninterrupted.\n\n"
     "At a break, commands are read from standard input:\n"
     "  continue [TIME], step [N], break WHAT, state, quit\n"
     "  set SWITCH TABLE|KEY FIELD VALUE    change a row of a switch\n"
     "  set link NODE NODE up|down|loss RATIO|drop_every N\n"
     "  set host HOSTS KEY VALUE            change adapters\n"
     "  publish SWITCH|off                  show a switch to redis-cli and "
     "orchctl\n",
     run_verb},
    {"list", "", 0, 0, NULL, "List the runs of the folder of results", NULL,
     list_verb},
    {"show", "RUN [LIST]", 1, 2, show_options,
     "Show a run: a summary, or one of its lists",
     "LIST is flows, messages, links, pauses, storms, deadlocks, queues,\n"
     "drops, paths, estats, sides,\n"
     "series, oracles, params, changes, latency, errors, verdicts, or summary. "
     " "
     "LABELS\n"
     "select rows as in metrics; see orchlab metric.\n",
     show_verb},
    {"explain", "flow|pause|drop|side NUMBER [RUN]", 2, 3, NULL,
     "Explain what a flow waited for, which side slows it, a pause, or a drop",
     NULL, explain_verb},
    {"metric", "[EXPRESSION [RUN]]", 0, 2, NULL,
     "Compute a metric of a run, or list what can be measured",
     "EXPRESSION is an aggregate over a quantity: p99(flow.fct{group=read}).\n"
     "Aggregates: count, sum, mean, min, max, stddev, cv, jain, spread, and "
     "p50 or any\nother percentile.\n",
     metric_verb},
    {"deadlock", "FILE", 1, 1, deadlock_options,
     "Say whether switches could wait for each other in a cycle",
     "Builds the fabric of FILE and asks its switches where packets to each "
     "host may\nleave: at the start; for each set of links that is down at "
     "some "
     "time; when\nswitches have forgotten the ports of silent hosts.  "
     "Nothing runs.  Exits with 1\nif there is a cycle.  A channel is a "
     "direction of a link between switches in one\nlossless priority; it "
     "depends on those over which its packets may go on.\n",
     deadlock_verb},
    {"plot", "RUN [FIGURE]", 1, 2, plot_options,
     "Draw a figure of a run with gnuplot, or list the figures", NULL,
     plot_verb},
    {"compare", "A B", 2, 2, NULL,
     "Compare two runs, and find the first event that differs", NULL,
     compare_verb},
    {"whatif", "fail|link|headroom|nic|model FILE", 2, 2, whatif_options,
     "Find out what failures and changes do",
     "fail: the scenario runs without a failure, then with that of each link "
     "or switch.  A\nhost is affected while it sends or receives less than 5 % "
     "of what it did before.\nFaults and series of the file are left out.  "
     "Exits with 1 if a failure affects hosts.\n\n"
     "The other questions run the scenario as it is and with a change, and "
     "print both, a\nsentence, and the rows of CONFIG_DB that differ.  Exit "
     "with 1 if more packets are\ndropped.\n"
     "  link      --link A.B --length LENGTH: and what headroom that needs\n"
     "  headroom  --factor RATIO, or --ratio N\n"
     "  nic       --nic NAME, --dcqcn PROFILE\n"
     "  model     --role ROLE, with --chip NAME, --config NAME\n",
     whatif_verb},
    {"tune", "ecn|headroom|alpha", 1, 1, tune_options,
     "Find better values of ECN, headroom or alpha for a fabric and its loads",
     "Stage 1 forecasts many values by the fluid model of DCQCN, or by theory; "
     "stage 2 runs\nthe loads with the best of them and with the present ones; "
     "stage 3 runs loads that\nnothing was chosen by.  Prints what was tried, "
     "a sentence, and the rows of CONFIG_DB\nthat are recommended.  Exits with "
     "1 if the present values are the best.\n"
     "  ecn       Kmin, Kmax and Pmax of WRED_PROFILE\n"
     "  headroom  what a priority group has, and how many share it\n"
     "  alpha     dynamic_th of lossless priority groups\n",
     tune_verb},
    {"probe", "nic FILE", 2, 2, probe_options,
     "Find out by experiment how an adapter behaves",
     "FILE is that of an adapter (nics/gen1.yaml), which is a black box here: "
     "experiments\nsee its packets, CNPs and messages.  They find the gap "
     "between CNPs, bursts and gaps\nof the rate limiter, when it speeds up, "
     "the window of the reaction point, what is\nsent again after a loss and "
     "when, the size of the cache of contexts, the time of a\n"
     "registration, and "
     "two defects: a fence before it, and a FIFO before all limiters.\n",
     probe_verb},
    {"papers", "[ROW]", 0, 1, papers_options,
     "List the published experiments, and how their scenarios stand",
     "ROW is one of them (B6): all expectations, over all runs that have "
     "results in the\nfolder, and what the scenario assumes.  A scenario is "
     "not-run, FAIL, deviates (from\nwhat is only reported), partial (runs are "
     "missing) or pass; a row without one is\nnot built.  Exits with 1 if an "
     "expectation failed.\n",
     papers_verb},
    {NULL, NULL, 0, 0, NULL, NULL, NULL, NULL},
};
