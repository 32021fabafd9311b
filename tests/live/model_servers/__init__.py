"""What real model servers were reported to answer and to refuse, played against every variant."""
