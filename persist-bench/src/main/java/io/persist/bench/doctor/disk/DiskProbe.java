package io.persist.bench.doctor.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Measures all operations, a few times each and then again from the first one, so that what the disk does meanwhile
 * meets all of them. A fast disk is measured until there are enough values, a slow one for so long.
 */
public final class DiskProbe {

    /**
     * How much is measured.
     *
     * @param samples of each operation at most
     * @param perRound times in a row
     * @param minRounds even if it takes longer
     * @param limitNs after which no round begins
     * @param fileLength bytes of each file that is filled before
     * @param sequentialBytes that are written at once
     */
    public record Plan(int samples, int perRound, int minRounds, long limitNs, int fileLength, int sequentialBytes) {

        /** Some seconds, and {@link #NEEDED_BYTES} at most. */
        public static final Plan NORMAL = new Plan(1000, 10, 2, 3_000_000_000L, 4 << 20, 16 << 20);
    }

    /** Free space that the measurement needs. */
    public static final long NEEDED_BYTES = 64L << 20;

    private static final int WARM_UP = 20;
    private static final long WARM_UP_LIMIT_NS = 50_000_000;
    private static final int MIB = 1 << 20;

    private final Scratch scratch;
    private final Plan plan;
    private final List<Series> all = new ArrayList<>();

    private DiskProbe(Scratch scratch, Plan plan) {
        this.scratch = scratch;
        this.plan = plan;
    }

    /**
     * Measures in a scratch folder.
     *
     * @param progress told from time to time how much is done, up to 1
     * @throws IOException if the directory cannot be measured, or the program is being ended
     */
    public static Measurements measure(Scratch scratch, Plan plan, DoubleConsumer progress) throws IOException {
        return new DiskProbe(scratch, plan).measure(progress);
    }

    private Measurements measure(DoubleConsumer progress) throws IOException {
        try {
            for (Operation operation : Operation.values()) {
                open(operation, Space.ZEROS);
            }
            open(Operation.MAPPED_FORCE, Space.ZEROS_BY_MIB);
            for (Operation operation :
                    List.of(Operation.FDATASYNC, Operation.FSYNC, Operation.DSYNC, Operation.DIRECT_DSYNC)) {
                open(operation, Space.GROWING);
            }
            double sequential = sequential();
            rounds(progress);
            return new Measurements(all.stream().map(Series::measurement).toList(), sequential);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (InternalError e) {
            throw new IOException("a mapped page cannot be written (" + e.getMessage() + ")", e);
        } finally {
            for (Series each : all) {
                each.close();
            }
        }
    }

    /** Opens a probe and runs it until its code is warm. What the system refuses shows here. */
    private void open(Operation operation, Space space) throws IOException {
        String name = operation + "." + space;
        Probe probe = null;
        try {
            probe = Probe.open(operation, scratch.file(name), space, space == Space.GROWING ? 0 : plan.fileLength());
            long startNs = System.nanoTime();
            for (int i = 0; i < WARM_UP && System.nanoTime() - startNs < WARM_UP_LIMIT_NS; i++) {
                checkEnding();
                probe.run();
            }
            probe.settle();
            all.add(Series.of(operation, space, probe));
        } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
            if (probe != null) {
                probe.close();
            }
            if (operation == Operation.BUFFERED || operation == Operation.FDATASYNC || scratch.isEnding()) {
                throw e instanceof IOException failure ? failure : new IOException(e.getMessage(), e);
            }
            all.add(Series.refused(operation, space, String.valueOf(e.getMessage())));
        }
    }

    private void rounds(DoubleConsumer progress) throws IOException {
        int rounds = plan.samples() / plan.perRound();
        long startNs = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            long elapsedNs = System.nanoTime() - startNs;
            if (round >= plan.minRounds() && elapsedNs > plan.limitNs()) {
                return;
            }
            progress.accept(Math.min(1, Math.max((double) round / rounds, (double) elapsedNs / plan.limitNs())));
            for (Series each : all) {
                checkEnding();
                each.run(plan.perRound());
            }
        }
    }

    /** Bytes per second, with the sync in the end. */
    private double sequential() throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(MIB);
        Probe.fillWithNoise(block);
        try (FileChannel channel =
                FileChannel.open(scratch.file("sequential"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long startNs = System.nanoTime();
            for (int at = 0; at < plan.sequentialBytes(); at += MIB) {
                checkEnding();
                Probe.writeFully(channel, block.clear(), at);
            }
            channel.force(false);
            return plan.sequentialBytes() * 1e9 / Math.max(1, System.nanoTime() - startNs);
        }
    }

    private void checkEnding() throws IOException {
        if (scratch.isEnding()) {
            throw new InterruptedIOException("interrupted");
        }
    }
}
