package io.persist.tool.stats;

import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import java.io.PrintStream;
import java.util.Map;

/**
 * Prints what a store that has a log open says of itself, in the names and the form of ARCUS's "stats persistence". It
 * does not read the store, so it takes no time, however large that is.
 */
public final class ArcusStatsTool implements LogTool {

    private final StorePlace place;

    /** A tool for the store whose checkpoints are in {@code place}. */
    public ArcusStatsTool(StorePlace place) {
        this.place = place;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        Map<String, String> said = ArcusStats.of(log, dataPath(log, place));
        if (said.isEmpty()) {
            throw new LogIOException(
                    "no store says anything of itself here: directory=" + log.description()
                            + "; name the directory of a store's log, or use store stats --format arcus",
                    null);
        }
        ArcusForm.print(said, out);
        return ExitCode.OK;
    }

    /** Where the checkpoints are, if that can be told: a log does not say it. */
    static String dataPath(Storage log, StorePlace place) {
        return FileAction.orFail("cannot read the directory", () -> {
            Storage checkpoints = place.checkpoints(log);
            boolean isKnown = checkpoints != log
                    || log.list().stream()
                            .anyMatch(name -> CheckpointName.position(name).isPresent());
            return isKnown ? checkpoints.description() : "";
        });
    }
}
