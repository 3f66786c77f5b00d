# figure: Goodput of eight senders by the generation of all adapters (section 7.2)
# needs: complete runs of a23-generations
# of: a23-generations
# source: runs
# data goodput: SELECT q.value || ' per host', n.value,
#   avg(1e-9 * g.value), min(1e-9 * g.value), max(1e-9 * g.value)
#   FROM verdicts g JOIN params n USING (number) JOIN params q USING (number)
#   WHERE g.text = 'figure: goodput' AND n.name = 'hosts.default.nic' AND
#   q.name = 'traffic.load.rc.qps' GROUP BY 1, 2 ORDER BY 1, 2
# data old: SELECT 'gen1', avg(1e-9 * g.value) FROM verdicts g JOIN params n
#   USING (number) WHERE g.text = 'figure: goodput' AND
#   n.name = 'hosts.default.nic' AND n.value = 'gen1' GROUP BY n.value
# Section 7.2 of Bai et al., NSDI 2023, prints no numbers: both ways to coalesce
# CNPs have the same granularity, so all generations are as the first.
set ylabel "goodput of all flows, Gb/s: mean and range of the seeds"
set yrange [0:40]
set offsets 0.5, 0.5, 0, 0
set xtics noenhanced
set key outside below noenhanced
stats old using 1 nooutput
plot for [i=0:goodput_blocks-1] goodput index i using ($0 + 0.1 * i):2:3:4 \
    with yerrorbars pt 7 title columnheader(1), \
    goodput index 0 using 0:(0):xtic(1) with points pt 0 notitle, \
    0.9 * STATS_mean with lines lc rgb "black" dt 2 \
    title "paper: as gen1, here within 10 %", \
    1.1 * STATS_mean with lines lc rgb "black" dt 2 notitle
