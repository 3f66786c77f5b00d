# figure: Goodput of each flow over time, and the share of figure 4 of the paper
# of: d10-lasting
# needs: 'record: {series: {of: flow.bytes, every: TIME}}', as d10-lasting
# data rate: WITH g AS (SELECT group_name FROM flow_list WHERE run = ?1 GROUP BY
#   1 ORDER BY sum(bytes) DESC LIMIT 1), f AS (SELECT flow, 'flow ' || flow AS
#   object FROM flow_list JOIN g USING (group_name) WHERE run = ?1) SELECT object,
#   t_ps * 1e-9, 8e3 * (value - coalesce(lag(value) OVER w, 0)) / (t_ps -
#   coalesce(lag(t_ps) OVER w, 0)) FROM sample_list JOIN f USING (object) WHERE
#   run = ?1 AND name = 'flow.bytes' WINDOW w AS (PARTITION BY object ORDER BY
#   t_ps) ORDER BY flow, t_ps
# The second data set is of Shalev et al., IEEE Micro 2020: 100 Gb/s for 48 flows.
$paper << EOD
2.08
EOD
set xlabel "time, ms"
set ylabel "goodput of each flow, Gb/s"
set yrange [0:*]
set key outside below noenhanced
stats $paper using 1 nooutput
plot for [i=0:rate_blocks-1] rate index i using 1:2 with lines lw 1 notitle, \
    STATS_mean with lines lw 3 dt 2 title "paper: share of a flow, which those of SRD have"
