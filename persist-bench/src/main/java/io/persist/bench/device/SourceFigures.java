package io.persist.bench.device;

import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Operations per second that "Storing Data" gives for blocks of 256 KiB on a WD SN750 laptop disk, for orientation.
 * It has figures of {@code write} and {@code read}, of {@code aio_*} and of io_uring; none of O_DIRECT, of mapped
 * memory, or of appending.
 */
final class SourceFigures {

    private static final int BLOCK = 262_144;

    /** Of sequential writes, with a sync each, of random ones, with a sync each, of sequential and of random reads. */
    private static final long[] SYNCHRONOUS = {2400, 850, 2400, 800, 2900, 2200};

    private static final long[] AIO = {2300, 800, 2300, 800, 3000, 2100};
    private static final long[] IO_URING = {2800, 2500, 3300, 2400, 15_000, 7500};

    private static final Map<String, long[]> BY_ENGINE =
            Map.of("channel", SYNCHRONOUS, "raf-rw", SYNCHRONOUS, "aio", AIO, "io_uring", IO_URING);

    private SourceFigures() {}

    static OptionalLong of(Cell cell, int block) {
        long[] figures = BY_ENGINE.get(cell.engine().name());
        if (figures == null || block != BLOCK || cell.pattern() == Pattern.APPEND || cell.syncEvery() > 1) {
            return OptionalLong.empty();
        }
        int random = cell.pattern() == Pattern.RAND ? 1 : 0;
        return OptionalLong.of(
                cell.operation() == Operation.READ
                        ? figures[4 + random]
                        : figures[2 * random + (int) cell.syncEvery()]);
    }
}
