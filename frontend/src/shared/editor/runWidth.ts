/**
 * Width of Run, Stop and "Stopping": that of the longest, or what stands beside them jumps as a run goes on. In a narrow
 * window the document's name needs the room.
 */
export const RUN_WIDTH = { base: 0, lg: 112 } as const;
