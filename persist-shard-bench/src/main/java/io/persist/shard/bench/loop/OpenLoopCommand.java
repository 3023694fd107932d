package io.persist.shard.bench.loop;

import io.persist.bench.host.DiskSpace;
import io.persist.command.Manual;
import io.persist.shard.ShardClient;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.ShardCommand;
import io.persist.shard.bench.place.ShardRuns;
import java.io.IOException;
import java.util.List;

/** {@code shard}: writers and readers of one shard at a rate, as Materialize's open loop has them. */
public final class OpenLoopCommand extends ShardCommand {

    /** Its name. */
    public static final String NAME = "shard";

    /** What a byte of a record takes on the disk, with what is merged meanwhile. */
    private static final double SPACE_FACTOR = 2;

    /** The same of a record that is kept, if keys come again. */
    private static final double KEPT_FACTOR = 8;

    /** What is being merged, or waits for it, and the journal, bytes. */
    private static final double SPACE_OF_MERGES = 2e9;

    private final LoopFlags flags = new LoopFlags();

    /** At its defaults. */
    public OpenLoopCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "",
                        "Writes records into a shard at a rate that does not wait for it, and reads them back.",
                        "It prints what each writer and reader does, as Materialize's open loop.")
                .note("Flags may have underscores in place of dashes.")
                .note(LoopLines.CAVEAT)
                .example(
                        "64 MiB/s for ten minutes, on files and a journal",
                        "--backend file --runtime 10m --records-per-second 65536 --record-size-bytes 1024"
                                + " --batch-size 8192")
                .note("With --distinct-keys the space has a bound. Give the JVM one, too: PERSIST_JAVA_OPTS=-Xmx256m.")
                .note("In the end a table says which goals were met. A rate that nothing can hold shows the most.")
                .example(
                        "the same in bounded space, beside what the disk takes bare",
                        "--backend file --runtime 10m --records-per-second 65536 --record-size-bytes 1024"
                                + " --batch-size 8192 --distinct-keys 65536 --bare 10s")
                .example(
                        "one of several processes; each writes the same",
                        "--blob-uri URI --consensus-uri URI --shard-id s1 --num-readers 0")
                .exits("it failed, or a reader was not given what was written");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(ShardCall call) throws IOException, InterruptedException {
        flags.validate();
        checkSpace(flags.data());
        String id = flags.shardId == null ? ShardClient.newId() : flags.shardId;
        try (ShardRuns runs = ShardRuns.begin(NAME, call.command(), flags.place, flags.place.names())) {
            LoopRun run = LoopRun.begin(flags, call, runs);
            try (Place place = flags.place.one().open()) {
                if (flags.shardId != null || flags.place.isOwn()) {
                    run.at(place, id);
                } else {
                    runAndBury(run, place, id);
                }
            }
        }
        return OK;
    }

    /** Whatever happens, also if nobody reads the output any more. */
    @SuppressWarnings("try") // the grave is closed, and nothing else
    private static void runAndBury(LoopRun run, Place place, String id) throws IOException, InterruptedException {
        try (Place.Grave grave = place.grave(id)) {
            run.at(place, id);
        }
    }

    private void checkSpace(DataSet data) throws IOException {
        long kept = data.distinctKeys() * data.recordBytes();
        long needed = (long) Math.min(SPACE_FACTOR * data.bytes(), KEPT_FACTOR * kept + SPACE_OF_MERGES);
        if (flags.place.text().equals("file")) {
            DiskSpace.require(flags.place.dir(), needed, "the run takes", "a shorter --runtime, or another --dir");
        }
    }
}
