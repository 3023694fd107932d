package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.Random;

/**
 * The disk has space for a number of bytes: from none at all to some segments. Writing throws when it is full, what was
 * acknowledged stays, and it goes on when there is space again. Then the power goes.
 */
public final class DiskFull implements Exercise {

    private static final int MOST_BYTES = 8 * Subject.SEGMENT_LENGTH;

    /** With so many bytes there is space for some entries, whoever writes them. */
    private static final int ENOUGH_BYTES = 6 * Subject.SEGMENT_LENGTH;

    @Override
    public Row row() {
        return Row.DISK_FULL;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        int step = effort.times(4096, 512);
        effort.random(1, 1, MOST_BYTES, (random, most) -> {
            for (int bytes = random.nextInt(step); bytes <= most; bytes += step) {
                fill(subject, bytes, random.nextLong());
                effort.tried(1);
            }
        });
    }

    private static void fill(Subject subject, int bytes, long seed) throws IOException {
        CrashableStorage disk = new CrashableStorage().capacityBytes(bytes);
        FullDisk full = new FullDisk(subject, disk, new Random(seed));
        try {
            long before = full.run(() -> disk.capacityBytes(1L << 40));
            assertThat(before > 0 || bytes < ENOUGH_BYTES).as("entries before").isTrue();
            assertThat(disk.openHandles()).as("open handles").isZero();
            full.check(disk.crash(new Random(seed), Loss.ALL_LOST));
        } catch (Throwable e) {
            throw new AssertionError("with " + bytes + " bytes: " + e, e);
        }
    }
}
