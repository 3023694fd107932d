/**
 * Command lines: flags in, an exit code out. What is run by its name is a {@link io.persist.command.NamedCommand}, and
 * what has flags and work of its own a {@link io.persist.command.Program}.
 *
 * <pre>
 *   arguments --→ CommandLine: sets the fields that have JCommander's annotation; UsageException: a line, exit code 2
 *                   |
 *                   v
 *                 Program: its help, its work, or one line that says why not --→ exit code
 *                   | describes itself
 *                   v
 *                 Manual --→ help, manual page, completion of the shells (room launch)
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.command;

import org.jspecify.annotations.NullMarked;
