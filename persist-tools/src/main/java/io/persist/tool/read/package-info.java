/**
 * The tools that read records: dump, tail, walk and compare.
 *
 * <pre>
 *   DumpTool   all of a range, or over damage   --+
 *   TailTool   the last ones, and what follows  --+--→ RecordPump: source (room select) to printer (room print)
 *   WalkTool   as a person directs it --→ Walk: the same, step by step
 *   CompareTool  two ComparedLogs --→ Comparison: the first difference
 *   threads: the one that calls; tail sleeps in its Pause
 * </pre>
 */
@NullMarked
package io.persist.tool.read;

import org.jspecify.annotations.NullMarked;
