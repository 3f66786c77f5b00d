# figure: What RDMA saves of the latency of a disk, by size and disk (section 8.2)
# needs: complete runs of a34-reads or a34-writes
# of: a34-reads a34-writes
# source: runs
# data gain: SELECT l.value || ', ' || d.value || 'b/s', s.value,
#   avg(100 - 100 * r.value)
#   FROM verdicts r JOIN params s USING (number) JOIN params l USING (number)
#   JOIN params d USING (number) WHERE r.text = 'figure: RDMA by TCP' AND
#   s.name = 'variant' AND l.name LIKE 'hosts.default.ssd.%_latency' AND
#   d.name LIKE 'hosts.default.ssd.%_rate' GROUP BY 1, 2
#   ORDER BY l.value LIKE '%ms', l.value + 0, d.value + 0,
#   s.value LIKE '%MiB', s.value + 0
# data paper: SELECT 'paper', CASE WHEN name LIKE '%reads' THEN 23.8 ELSE 15.6 END
#   FROM runs WHERE name LIKE 'a34-%' LIMIT 1
# Section 8.2 of Bai et al., NSDI 2023, has the gain at 1 MB only.
set xlabel "size of an I/O"
set ylabel "gain of the mean latency, %"
set yrange [0:*]
set key outside below noenhanced
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.7
set xtics noenhanced
stats paper using 1 nooutput
plot for [i=0:gain_blocks-1] gain index i using 2:xtic(1) \
    title columnheader(1), \
    STATS_mean with lines lw 2 lc rgb "black" title "paper, at 1 MB"
