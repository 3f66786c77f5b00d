# figure: Completion times of 48 flows into one server, and figure 3 of the paper
# of: d9-incast
# needs: traffic of kind 'srd' or 'tcp' called srd and tcp, as d9-incast
# data cdf: SELECT group_name, fct_ps * 1e-9, 1.0 * row_number() OVER
#   (PARTITION BY group_name ORDER BY fct_ps) / count(*) OVER
#   (PARTITION BY group_name) FROM flow_list WHERE run = ?1 AND fct_ps IS NOT NULL
#   AND group_name IN ('srd', 'tcp') ORDER BY group_name, fct_ps
# The second data set is of Shalev et al., IEEE Micro 2020, of 2 MB: times without a share.
$paper << EOD
7.68 0 "ideal"
8.83 0 "SRD: 1.15 of it at most"
23.04 0 "TCP: many take 3 times as long"
50 0 "TCP: the tail begins"
EOD
set xlabel "completion time, ms"
set ylabel "share of flows"
set logscale x
set yrange [0:1]
set key outside below noenhanced
plot for [i=0:cdf_blocks-1] cdf index i using 1:2 with steps lw 2 \
    title columnheader(1), \
    $paper using 1:2:(0):(1) with vectors nohead lw 1 dt 2 title "paper, at 2 MB", \
    $paper using 1:(0.05):3 with labels rotate by 90 left offset 0.7,0 notitle
