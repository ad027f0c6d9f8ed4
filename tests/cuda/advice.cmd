# Advice and prefetches of parts of a range, on two devices
$ warplens run -q --devices 2 advice
advice: fine
