/**
 * The tools that copy logs and take away what is not needed: archive, backup, restore and retain.
 *
 * <pre>
 *   log --→ ArchiveTool --→ io.persist.archive  --+
 *   log --→ BackupTool  --→ io.persist.backup   --+--→ zip file or directory
 *           RestoreTool ←-------------------------+
 *             | verifies what it has restored (room repair)
 *   log --→ RetainTool: takes away segments that no rule and no cursor holds
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.tool.copy;

import org.jspecify.annotations.NullMarked;
