package io.persist.tool.store;

import io.persist.LogMonitor;
import io.persist.LogMonitor.Reading;
import io.persist.StoreView;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.monitor.WriterState;
import io.persist.store.checkpoint.CheckpointFile;
import io.persist.store.checkpoint.CheckpointFile.Depth;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.stats.ArcusForm;
import io.persist.tool.stats.ArcusStats;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * Prints the numbers of a store as it is now, which may be written meanwhile. It makes an index of its own for that,
 * which takes as long as opening the store does.
 */
public final class StoreStatsTool implements LogTool {

    /** In which form. */
    public enum Form {
        TEXT,
        /** One line of JSON. */
        JSON,
        /** What ARCUS calls its "stats persistence", in its names and its form. */
        ARCUS
    }

    private final Form form;
    private final StorePlace place;

    public StoreStatsTool(Form form, StorePlace place) {
        this.form = form;
        this.place = place;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        StoreNumbers numbers = numbers(log);
        switch (form) {
            case TEXT -> out.print(StoreNumbersText.of(numbers));
            case JSON -> StoreNumbersJson.print(numbers, out);
            case ARCUS -> ArcusForm.print(StoreNumbersArcus.of(numbers), out);
        }
        return ExitCode.OK;
    }

    private StoreNumbers numbers(Storage log) {
        Storage checkpoints = place.checkpoints(log);
        try (StoreView view = place.view(log)) {
            WriterState writer = WriterState.UNKNOWN;
            long pid = 0;
            try {
                Reading now = new LogMonitor(log).read();
                writer = now.writer();
                pid = now.pid();
            } catch (LogIOException noControl) {
                // Nothing is known of the writer; the store can be read all the same.
            }
            List<CheckpointFile> files = CheckpointFile.list(checkpoints, Depth.HEADER);
            boolean isWriting = writer.mayWrite() && CheckpointFile.isBeingMade(checkpoints);
            Map<String, String> said = ArcusStats.of(log, checkpoints.description());
            return StoreNumbers.of(log, checkpoints, view, files, new StoreNumbers.Now(writer, pid, isWriting, said));
        } catch (IOException e) {
            throw new LogIOException("cannot read the checkpoints: " + e.getMessage(), e);
        }
    }
}
