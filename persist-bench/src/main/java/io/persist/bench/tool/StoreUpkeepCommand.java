package io.persist.bench.tool;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.tool.LogTool;
import io.persist.tool.StoreUpkeepTool;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** {@code store checkpoint STORE...} and {@code store compact STORE...}: what a store's writer does by itself. */
abstract class StoreUpkeepCommand extends ToolArguments {

    @ParametersDelegate
    final StoreFlags store = new StoreFlags();

    static int runCheckpoint(String[] args, PrintStream out, PrintStream err) {
        return new Checkpoint().run("store checkpoint", args, out, err);
    }

    static int runCompact(String[] args, PrintStream out, PrintStream err) {
        return new Compact().run("store compact", args, out, err);
    }

    @Override
    final String operands() {
        return "STORE...";
    }

    final void requireOneStore() {
        if (store.isGiven()) {
            requireOneLog("--checkpoints");
        }
    }

    private static final class Checkpoint extends StoreUpkeepCommand {

        @Override
        LogTool tool(PrintStream err) {
            requireOneStore();
            return StoreUpkeepTool.checkpointing(store.place());
        }
    }

    private static final class Compact extends StoreUpkeepCommand {

        private static final int BYTES_PER_MB_SHIFT = 20;
        private static final long MAX_MB = 1L << 40;

        @Parameter(names = "--budget", description = "about the most that is copied, in MiB; by default no bound")
        private @Nullable Long budget;

        @Override
        LogTool tool(PrintStream err) {
            requireOneStore();
            long mb = orElse(budget, MAX_MB);
            if (mb < 0 || mb > MAX_MB) {
                throw new IllegalArgumentException("budget=" + mb + ", min=0, max=" + MAX_MB);
            }
            return StoreUpkeepTool.compacting(mb << BYTES_PER_MB_SHIFT, store.place());
        }
    }
}
