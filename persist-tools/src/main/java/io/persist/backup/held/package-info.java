/**
 * What a run holds of a log or store while it copies it: files that are open or mapped, whatever the writer takes away
 * meanwhile.
 *
 * <pre>
 *   store    --→ HeldCheckpoints: which are whole, and of use  --+
 *   segments, control block, cursors ----------------------------+--→ HeldFiles: a directory that is to be tried
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.backup.held;

import org.jspecify.annotations.NullMarked;
