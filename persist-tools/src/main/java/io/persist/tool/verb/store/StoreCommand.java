package io.persist.tool.verb.store;

import io.persist.command.GroupCommand;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import java.util.List;

/** {@code store get|scan|stats|checkpoint|compact STORE}: reads a store by its keys, and keeps it up. */
public final class StoreCommand extends GroupCommand {

    /** With the command that the first argument names. */
    public StoreCommand() {}

    @Override
    public Manual manual() {
        return Manual.of("store", "COMMAND STORE...", "Reads a store by its keys, shows its numbers, and keeps it up.")
                .exits("a store is damaged, or cannot be read");
    }

    @Override
    public List<NamedCommand> parts() {
        return List.of(
                new StoreGetCommand(),
                new StoreScanCommand(),
                new StoreStatsCommand(),
                StoreUpkeepCommand.checkpoint(),
                StoreUpkeepCommand.compact());
    }
}
