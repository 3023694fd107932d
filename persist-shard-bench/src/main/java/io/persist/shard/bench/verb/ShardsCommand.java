package io.persist.shard.bench.verb;

import io.persist.command.GroupCommand;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import java.util.List;

/** {@code shards list|show|verify|gc}: what operators do with the shards of a place. */
public final class ShardsCommand extends GroupCommand {

    /** Its name. */
    public static final String NAME = "shards";

    /** With the verb that the first argument names. */
    public ShardsCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(NAME, "COMMAND " + Verb.OPERANDS, "Lists, shows and verifies the shards of a place.")
                .exits("there are findings, or the place cannot be read");
    }

    @Override
    public List<NamedCommand> parts() {
        return List.of(new ListVerb(), new ShowVerb(), new VerifyVerb(), new GcVerb());
    }
}
