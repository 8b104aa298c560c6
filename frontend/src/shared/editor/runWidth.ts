/** Width of Run, Stop and "Stopping", in px: that of the longest, or what stands beside them jumps as a run goes on. */
export const RUN_WIDTH = 112;
