# figure: Pauses, storms and the watchdog
# source: trace
# data lanes: SELECT 'lanes', lane, label FROM lanes ORDER BY lane
# data received: SELECT 'received', t0, lane, t1 - t0 FROM spans
#   WHERE kind = 'received'
# data sent: SELECT 'sent', t0, lane, t1 - t0 FROM spans WHERE kind = 'sent'
# data storm: SELECT 'storm', t0, lane, t1 - t0, label FROM spans
#   WHERE kind = 'storm'
# data deadlock: SELECT 'deadlock', t0, lane, t1 - t0 FROM spans
#   WHERE kind = 'deadlock'
# data ticks: SELECT 'ticks', t, lane FROM ticks
set xlabel arg2."\n " noenhanced
set xrange [real(arg3):real(arg4)]
set yrange [real(arg5) + 0.6:0.4]
set ytics noenhanced
set key outside below center horizontal Left reverse noenhanced
width = real(arg5) > 24 ? 6 : real(arg5) > 10 ? 10 : 16
# A part of the command for each kind of data that there is.
bars(data, color, name) = ", ".data." using 1:2:3:(0) with vectors nohead " \
    . sprintf("lw %d lc rgb '%s' title '%s'", width, color, name)
places = "lanes using (-1e30):1:ytic(2) with points pt -2 notitle"
pauses = received_blocks ? bars("received", "#e69f00", "paused by peer") : ""
own = sent_blocks ? bars("sent", "#0072b2", "pauses peer") : ""
storms = storm_blocks ? bars("storm", "#d55e00", "storm") : ""
deadlocks = deadlock_blocks \
    ? bars("deadlock", "#cc79a7", "deadlock found by the switch") : ""
drops = ticks_blocks ? ", ticks using 1:2 with points pt 2 ps 1 lw 1.5 " \
    . "lc rgb '#000000' title 'dropped'" : ""
actions = storm_blocks ? ", storm using 1:2:4 with labels left " \
    . "offset 0.5, 1.1 font ',9' noenhanced notitle" : ""
eval "plot ".places.pauses.own.storms.deadlocks.drops.actions
