/**
 * Command lines: flags in, an exit code out. A program is a {@link io.persist.command.NamedCommand}; its
 * {@link io.persist.command.CommandLine} sets the fields that have JCommander's annotation, and its
 * {@link io.persist.command.Manual} is what the help, the manual page and the completion of the shells are made of.
 * {@link io.persist.command.Commands} are those of one launcher.
 */
@NullMarked
package io.persist.command;

import org.jspecify.annotations.NullMarked;
