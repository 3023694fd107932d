package io.persist.tool.verb.store;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.tool.LogTool;
import io.persist.tool.store.StoreUpkeepTool;
import io.persist.tool.verb.flags.StoreFlags;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code store checkpoint STORE...} and {@code store compact STORE...}: what a store's writer does by itself. */
abstract class StoreUpkeepCommand extends ToolArguments {

    @ParametersDelegate
    final StoreFlags store = new StoreFlags();

    /** {@code store checkpoint}. */
    static ToolArguments checkpoint() {
        return new Checkpoint();
    }

    /** {@code store compact}. */
    static ToolArguments compact() {
        return new Compact();
    }

    final void requireOneStore() {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
    }

    private static final class Checkpoint extends StoreUpkeepCommand {

        @Override
        public Manual manual() {
            return Manual.of(
                            "store checkpoint",
                            "STORE...",
                            "Writes a checkpoint of stores that nobody writes, so that they open sooner.")
                    .example("a store whose checkpoints are kept elsewhere", "./store --checkpoints ./checkpoints")
                    .exits("a store is damaged, or has a writer");
        }

        @Override
        protected LogTool tool(PrintStream err) {
            requireOneStore();
            return StoreUpkeepTool.checkpointing(store.place());
        }
    }

    private static final class Compact extends StoreUpkeepCommand {

        private static final int BYTES_PER_MB_SHIFT = 20;
        private static final long MAX_MB = 1L << 40;

        @Parameter(
                names = "--budget",
                placeholder = "MB",
                description = "about the most that is copied, in MB; by default no bound")
        private @Nullable Long budget;

        @Override
        public Manual manual() {
            return Manual.of(
                            "store compact",
                            "STORE...",
                            "Gives back the space of stores that nobody writes: copies live values out of the emptiest",
                            "segments.")
                    .example("a step of about a gigabyte", "./store --budget 1GB")
                    .exits("a store is damaged, or has a writer");
        }

        @Override
        protected LogTool tool(PrintStream err) {
            requireOneStore();
            long mb = orElse(budget, MAX_MB);
            Checks.range("--budget", mb, 0, MAX_MB);
            return StoreUpkeepTool.compacting(mb << BYTES_PER_MB_SHIFT, store.place());
        }
    }
}
