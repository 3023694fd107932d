package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreView;
import io.persist.file.Storage;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.control.ControlFile;
import io.persist.log.control.WriterPresence;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Follower;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * After a kill, a power cut or a volume that was mounted anew, readers come before any writer: tailers of both modes,
 * also those that go to the end or to the last record at once, a view of a store, and {@code verify}. All of them end
 * where recovery then ends the log.
 */
public final class ReadersBeforeRecovery implements Exercise {

    private static final List<Fault> FAULTS = List.of(Fault.REMOUNT, Fault.REMOUNT, Fault.KILL, Fault.POWER_CUT);
    private static final int LIVES = 3;
    private static final byte[] NEWEST = {0};

    @Override
    public Row row() {
        return Row.REMOUNT;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Machine.each(subject, effort, 6, 400, (machine, random) -> {
            for (int life = 0; life < LIVES; life++) {
                machine.live(FAULTS.get(random.nextInt(FAULTS.size())));
                compare(subject, machine);
            }
        });
    }

    private static void compare(Subject subject, Machine machine) throws Exception {
        CrashableStorage left = machine.storage();
        if (left.list().stream().noneMatch(name -> name.endsWith(".log"))) {
            machine.check();
            return;
        }
        List<Long> seen = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        boolean mayLive = mayWriterLive(left);
        for (ReadMode mode : ReadMode.values()) {
            try (Follower follower = Follower.open(subject, left, ReadScope.PUBLISHED, mode)) {
                follower.readOn();
                seen.add(follower.last());
            }
            ends.add(end(subject, left, mode));
        }
        if (subject.logger() == Subject.Logger.STORE) {
            seen.add(newest(subject, left));
        }
        LogInspector.Inspection inspected = new LogInspector(left).inspect(LogScan.Start.BEGINNING);
        ends.add(inspected.findings().tail());
        try (Life open = subject.open(left)) {
            String what = "the ends of readers, " + open.recovery().describe();
            checkSeen(what, ends, open.recovery().kept().goodPosition(), mayLive);
        }
        checkSeen(
                "the last entries that readers saw", seen, (Long) machine.work().check(left), mayLive);
        assertThat(left.openHandles()).as("open handles").isZero();
    }

    /** A control block that is torn may name a holder that cannot be seen from here. */
    private static boolean mayWriterLive(CrashableStorage left) throws IOException {
        try (ControlFile control = ControlFile.open(left, Storage.Access.READ)) {
            return control != null && WriterPresence.of(left, control.block()) != Presence.GONE;
        }
    }

    /** Readers of a log whose writer may live may show less, and never more. */
    private static void checkSeen(String what, List<Long> seen, long recovered, boolean mayWriterLive) {
        if (mayWriterLive) {
            assertThat(seen).as(what).allMatch(end -> end <= recovered);
        } else {
            assertThat(seen).as(what).containsOnly(recovered);
        }
    }

    /** Where a tailer ends that goes to the end, and to the last record's number, and behind it. */
    private static long end(Subject subject, CrashableStorage left, ReadMode mode) {
        try (Tailer tailer = subject.tailer(left, ReadScope.PUBLISHED, mode)) {
            tailer.toEnd();
            long end = tailer.nextPosition();
            long last = lastRead(tailer);
            if (last > 0) {
                tailer.toSequence(last + 1);
                assertThat(tailer.next()).as("a record behind the end").isFalse();
                tailer.toPosition(end);
                assertThat(tailer.next()).as("a record at the end").isFalse();
            }
            return end;
        }
    }

    /** 0 if there was no record on the way. */
    private static long lastRead(Tailer tailer) {
        try {
            return tailer.sequence();
        } catch (IllegalStateException none) {
            return 0;
        }
    }

    private static long newest(Subject subject, CrashableStorage left) {
        StoreConfig config =
                StoreConfig.builder(subject.config(Path.of("memory"))).build();
        try (StoreView view = StoreView.open(left, left)) {
            ByteBuffer newest = view.snapshot().get(NEWEST);
            return newest == null ? 0 : Entries.numberOf(newest);
        }
    }
}
