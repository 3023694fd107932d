package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.DirectoryStorage;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * A real file system of some pages. A store into a mapping for which it has no page would be an InternalError, or the
 * end of this JVM: so nothing may be mapped that has no place on it.
 */
public final class DiskFullMapped implements Exercise {

    private static final int PAGE = 4096;
    private static final int MOST_PAGES = 40;

    /** With so many pages there is space for some entries, whoever writes them. */
    private static final int ENOUGH_PAGES = 6;

    @Override
    public Row row() {
        return Row.DISK_FULL_MAPPED;
    }

    @Override
    public void run(Subject subject, Effort effort) throws IOException {
        int step = effort.times(MOST_PAGES / 3, 1);
        try (SmallDisk disk = SmallDisk.mount()) {
            effort.random(1, 1, MOST_PAGES, (random, most) -> {
                for (int pages = 1 + random.nextInt(step); pages <= most; pages += step) {
                    fill(subject, disk, pages, random.nextLong());
                    effort.tried(1);
                }
            });
        }
    }

    private static void fill(Subject subject, SmallDisk disk, int pages, long seed) throws IOException {
        disk.clear();
        disk.resize((long) pages * PAGE);
        Path directory = disk.directory().resolve("log");
        try {
            FullDisk full = new FullDisk(subject, DirectoryStorage.create(directory), new Random(seed));
            long before = full.run(() -> disk.resize(1 << 22));
            assertThat(before > 0 || pages < ENOUGH_PAGES).as("entries before").isTrue();
            full.check(DirectoryStorage.open(directory));
        } catch (Throwable e) {
            throw new AssertionError("with " + pages + " pages: " + e, e);
        }
    }
}
