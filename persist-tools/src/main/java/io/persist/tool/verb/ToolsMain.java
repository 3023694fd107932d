package io.persist.tool.verb;

import io.persist.command.launch.Commands;
import io.persist.command.launch.Commands.Entry;
import io.persist.tool.verb.store.StoreCommand;
import java.util.List;

/** The entry to the tools: {@code java -jar persist-tools.jar VERB ...}. */
public final class ToolsMain {

    /** The verbs in the order of the overview. A new one is one more line here. */
    private static final List<Entry> VERBS = List.of(
            new Entry("dump", "tool: print the records of logs as text, JSON Lines, CSV or HTML", DumpCommand::new),
            new Entry("tail", "tool: print the last records of a log, and follow it", TailCommand::new),
            new Entry("walk", "tool: go through a log entry by entry, as you say", WalkCommand::new),
            new Entry("verify", "tool: say whether logs are clean, live, torn or damaged", VerifyCommand::new),
            new Entry("compare", "tool: say whether two logs hold the same, or where they part", CompareCommand::new),
            new Entry("stats", "tool: print the numbers of logs, or watch one", StatsCommand::new),
            new Entry("repair", "tool: make damaged logs open again; nothing is destroyed", RepairCommand::new),
            new Entry("salvage", "tool: a new log of everything of a damaged one that verifies", SalvageCommand::new),
            new Entry("retain", "tool: delete the oldest segments of logs", RetainCommand::new),
            new Entry("archive", "tool: pack, check and restore the sealed segments of a log", ArchiveCommand::new),
            new Entry("backup", "tool: copy a log or store that may be written meanwhile", BackupCommand::new),
            new Entry("restore", "tool: make a log or store of a backup", RestoreCommand::new),
            new Entry("store", "tool: read a store by its keys, see its numbers, keep it up", StoreCommand::new),
            new Entry("cursors", "tool: show the named cursors of logs, or remove one", CursorsCommand::new));

    private static final Commands COMMANDS = new Commands(
            new Commands.Overview(
                    "tools for the logs and stores of Persist, low-latency journaling for Java",
                    "Persist: low-latency journaling for Java. Tools for its logs and stores.",
                    List.of("java -jar persist-tools.jar COMMAND [flags]"),
                    "verify ./logs"),
            VERBS);

    private ToolsMain() {}

    /** Runs the tool that the first argument names, and ends the process with its exit code. */
    public static void main(String[] args) {
        Commands.end(COMMANDS::run, args);
    }

    /** The verbs in the order of the overview, for launchers that have other programs too. */
    public static List<Entry> verbs() {
        return VERBS;
    }

    /** All that the jar of the tools runs. */
    static Commands commands() {
        return COMMANDS;
    }
}
