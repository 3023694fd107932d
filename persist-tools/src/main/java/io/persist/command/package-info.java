/**
 * Command lines: flags in, an exit code out. A program is a {@link io.persist.command.NamedCommand}.
 *
 * <pre>
 *   arguments --→ CommandLine: sets the fields that have JCommander's annotation; UsageException: a line, exit code 2
 *                   |
 *                   v
 *                 NamedCommand --→ exit code
 *                   | describes itself
 *                   v
 *                 Manual --→ help, manual page, completion of the shells (room launch)
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.command;

import org.jspecify.annotations.NullMarked;
