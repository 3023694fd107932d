package io.persist.fuzz;

import io.persist.LogMonitor;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import java.util.SortedMap;

/** A cursor that cannot be read is refused and left as it is, and holds the log; one that can goes on where it was. */
final class CursorUse implements Use {

    private static final String FILE = Images.CURSOR + LogFileName.CURSOR_SUFFIX;

    private final FuzzInput input;
    private final Disk disk;
    private final Storage storage;

    CursorUse(FuzzInput input, Disk disk) {
        this.input = input;
        this.disk = disk;
        this.storage = disk.storage();
    }

    @Override
    public void run() {
        LogCursors cursors = new LogCursors(storage);
        Outcome<?> listed = Use.attempt(cursors::list);
        disk.checkUnchanged("the list of cursors");
        Use.requireSame(listed, Use.attempt(cursors::list), "the second list of cursors");
        Use.attempt(() -> new LogMonitor(storage).read());
        disk.checkUnchanged("the monitor");
        boolean isThere = disk.files().containsKey(FILE);
        Outcome<Long> position = Use.attempt(this::position);
        if (position.isRefused() && isThere) {
            disk.checkUnchanged("a cursor that was refused (" + position.refusal() + ")");
        }
        Use.requireSame(position, Use.attempt(this::position), "the second opening of the cursor");
        retire();
        if (!position.isRefused()) {
            goOn();
        }
    }

    private Long position() {
        try (Tailer tailer =
                Tailer.open(storage, Images.CURSOR, input.settings().all())) {
            return tailer.nextPosition();
        }
    }

    private Outcome<Reading> read() {
        return Use.attempt(() ->
                Reading.of(Tailer.open(storage, Images.CURSOR, input.settings().all())));
    }

    /** Nothing that the cursor holds is taken away, whether the cursor can be read or not. */
    private void retire() {
        Outcome<Reading> before = read();
        SortedMap<String, byte[]> cursor = disk.now();
        Outcome<Boolean> retired = Use.attempt(() -> {
            try (Log log = Log.open(input.settings().log(), storage)) {
                log.retire(log.planRetention(RetentionRule.below(Long.MAX_VALUE)), Retirement.DELETE);
                return true;
            }
        });
        if (retired.isRefused() || cursor.get(FILE) == null) {
            return;
        }
        Disk.checkSame(cursor.subMap(FILE, FILE + "\0"), disk.now().subMap(FILE, FILE + "\0"), "retention");
        Outcome<Reading> after = read();
        if (!before.isRefused() && !after.isRefused()) {
            after.get().checkAgrees(before.get());
        }
    }

    /** What is stored is where it goes on, unless a reader could not go on there either, or not get there. */
    private void goOn() {
        boolean[] isDamagedBehind = new boolean[1];
        Outcome<Long> stored = Use.attempt(() -> {
            try (Tailer tailer =
                    Tailer.open(storage, Images.CURSOR, input.settings().all())) {
                for (int i = 0; i < 3 && tailer.next(); i++) {
                    tailer.payload();
                }
                long position = tailer.store();
                isDamagedBehind[0] = Use.attempt(tailer::next).isRefused();
                return position;
            }
        });
        if (!stored.isRefused()) {
            Outcome<Long> again = Use.attempt(this::position);
            if (!again.isRefused() || !isDamagedBehind[0] && !isLogDamaged()) {
                Use.requireSame(stored.get(), again.get(), "where the cursor goes on");
            }
        }
    }

    /** Before the cursor too: what it has passed is read again to tell whether the log ends where it is. */
    private boolean isLogDamaged() {
        Tailer tailer = Tailer.open(storage, input.settings().all());
        return !Reading.of(tailer).ending().isEmpty();
    }
}
