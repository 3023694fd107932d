/**
 * The command lines of the tools, one class for each verb, and {@link io.persist.tool.verb.ToolsMain}, the entry to
 * them.
 *
 * <pre>
 *   arguments --→ ToolsMain: which verb --→ DumpCommand, VerifyCommand and others
 *                                             | flags of all verbs: room flags; of stores: room store
 *                                             v
 *                                           LogTool --→ lines and an exit code
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.tool.verb;

import org.jspecify.annotations.NullMarked;
