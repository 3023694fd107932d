/**
 * A log: segments as one stream of records. In this package is what users and all rooms of the log name: its
 * configuration, levels, modes, rules and reports. Nothing here touches a file or starts a thread, or knows a room.
 *
 * <pre>
 *   the rooms; each uses only those below it
 *
 *   engine      Log: opens, assembles, closes and watches the rest
 *   retention   which segments may go, and taking them away
 *   write       the appender and its commits
 *   space       segments and zeros, ahead of the appender
 *   sync        positions, waiting for them, syncs
 *   read        tailers and named cursors; read.visible: how far they may look; read.window: the bytes of one segment
 *   recovery    scan, table, cut, report, repair
 *   segment     files: birth, mapping, layout
 *   control     the control file, and which process holds the log
 *   thread      threads of the library, and what threads take turns at
 *   (here)      types
 * </pre>
 */
@NullMarked
package io.persist.log;

import org.jspecify.annotations.NullMarked;
