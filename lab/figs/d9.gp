# figure: Slowest of 48 flows by their size, and figure 2 of the paper
# of: d9-incast
# needs: complete runs of d9-incast
# source: runs
# data slowest: SELECT substr(v.text, 9), (p.value + 0) * CASE WHEN p.value LIKE
#   '%MB' THEN 1000 ELSE 1 END AS kb, avg(1e3 * v.value), min(1e3 * v.value),
#   max(1e3 * v.value) FROM verdicts v JOIN params p USING (number) WHERE p.name =
#   'variant' AND p.value + 0 > 0 AND v.text LIKE 'figure: %' GROUP BY 1, kb
#   ORDER BY 1, kb
# The second data set is of Shalev et al., IEEE Micro 2020: the ideal 48 S / C, 3.84 us for a KB, and
# what it says of TCP, in multiples of that.
array paper[3] = [1, 3, 20]
array name[3] = ["ideal", "paper, TCP: from 3 times the ideal", "to 20 times"]
set xlabel "size of a flow, KB"
set ylabel "slowest flow, ms: mean and range of the seeds"
set logscale xy
set key outside below noenhanced
plot for [i=0:slowest_blocks-1] slowest index i using 1:2:3:4 with yerrorlines \
    pt 7 lw 2 title columnheader(1), \
    for [i=1:3] paper[i] * 0.00384 * x with lines lw 2 dt i + 1 title name[i]
