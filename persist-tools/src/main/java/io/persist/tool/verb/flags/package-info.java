/**
 * What the command lines of the tools have in common.
 *
 * <pre>
 *   arguments --→ ToolArguments: operands and flags --→ the LogTool of the verb --→ ToolRunner
 *                   RecordFlags: how payloads are printed
 *                   KeyFlags: how keys are written
 *                   StoreFlags: where the checkpoints are
 *                   ProgressLine: how far the tool is
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.tool.verb.flags;

import org.jspecify.annotations.NullMarked;
