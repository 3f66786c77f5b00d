# figure: Completion times of the flows of one sender, and figure 6 of the paper
# of: d11-ecmp d11-uplinks-50g
# needs: traffic of kind 'srd' or 'tcp' called srd and tcp, as d11-ecmp
# data cdf: SELECT group_name, fct_ps * 1e-9, 1.0 * row_number() OVER
#   (PARTITION BY group_name ORDER BY fct_ps) / count(*) OVER
#   (PARTITION BY group_name) FROM flow_list WHERE run = ?1 AND fct_ps IS NOT NULL
#   AND group_name IN ('srd', 'tcp') AND source = (SELECT min(source) FROM
#   flow_list WHERE run = ?1) ORDER BY group_name, fct_ps
# The second data set is of Shalev et al., IEEE Micro 2020, in multiples of the ideal of 2.56 ms.
$paper << EOD
2.56 0 "ideal"
2.944 0.5 "median of SRD"
3.84 0.5 "mean of TCP"
25.6 1 "tail of TCP"
256 1 "to here"
EOD
set xlabel "completion time, ms"
set ylabel "share of flows"
set logscale x
set xrange [2:400]
set yrange [0:1.4]
set key outside below noenhanced
plot for [i=0:cdf_blocks-1] cdf index i using 1:2 with steps lw 2 \
    title columnheader(1), \
    $paper using 1:2:3 with labels rotate by 45 left point pt 7 ps 1.2 offset 0.6,0.6 \
    title "paper"
