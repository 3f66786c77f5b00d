# figure: What RDMA saves of the load of cores, by other work (section 8.2)
# needs: complete runs of a33-frontend-cpu
# of: a33-frontend-cpu
# source: runs
# data saving: SELECT 'other work ' || b.value, w.value, avg(100 - 100 * r.value)
#   FROM verdicts r JOIN params v USING (number) JOIN params w USING (number)
#   JOIN params b USING (number) WHERE r.text = 'figure: read, RDMA by TCP' AND
#   v.name = 'variant' AND v.value = 'B' AND
#   w.name = 'hosts.default.cpu.io_op' AND
#   b.name = 'hosts.default.cpu.background' GROUP BY 1, 2 ORDER BY 1, w.value + 0
# Section 8.2 of Bai et al., NSDI 2023, has the greatest saving only, 34.5 %.  Dotted:
# within 3 points of it.
set xlabel "work of a core for an I/O of 8 KiB besides its messages"
set ylabel "saving of RDMA at B, reads, %"
set yrange [0:60]
set key outside below noenhanced
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.7
set xtics noenhanced
plot for [i=0:saving_blocks-1] saving index i using 2:xtic(1) \
    title columnheader(1), \
    34.5 with lines lw 2 lc rgb "black" title "paper, at most", \
    31.5 with lines lc rgb "black" dt 3 notitle, \
    37.5 with lines lc rgb "black" dt 3 notitle
