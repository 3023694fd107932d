/**
 * The commands of one launcher.
 *
 * <pre>
 *   arguments of main --→ Commands: which command, by its name --→ NamedCommand: an entry, or a service
 *                           | StandardOutput: a full disk and a closed pipe become exit codes
 *                           +--→ ManCommand, CompletionCommand: pages and scripts from the manuals
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.command.launch;

import org.jspecify.annotations.NullMarked;
