package io.persist.fuzz;

import io.persist.MessageLogger;
import io.persist.error.PersistException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.control.HolderBlock;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogRepair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A log whose files are whole, used by two threads, overtaken by another writer, with a mark of its holder that says
 * anything, and readers that keep what they were given. The edits of the input are the steps. A thread that does not own
 * the log is refused and changes nothing; nobody else gets the log; a writer that was overtaken acknowledges nothing as
 * synced any more; whatever was acknowledged is there in the end. So it is with a log on the side whose segment is cut.
 */
final class MisuseUse implements Use {

    /** What an edit stands for, by its verb. The order is part of what an input means: new ones go to the end. */
    enum Step {
        APPEND,
        COMMIT,
        SECOND_WRITER,
        OVERTAKE,
        MARK,
        NEXT,
        GO,
        HAND_OVER,
        REOPEN,
        CLOSE_TAILER,
        CUT
    }

    private static final int PAGE_LENGTH = 4096;
    private static final int MAX_RECORD = 0x1FF;

    private final FuzzInput input;
    private final Storage storage;
    private final LogConfig config;
    private final TailerConfig reading;
    private final KeptBytes kept = new KeptBytes();

    /** By their numbers: those that are there, and at the end one that may be. */
    private final TreeMap<Long, byte[]> appended = new TreeMap<>();

    private long synced;
    private MessageLogger logger;
    private long epoch;
    private boolean hasFailed;
    private boolean hasCut;
    private @Nullable Tailer tailer;

    /** Which of the two threads the log belongs to. */
    private @Nullable Boolean owner;

    MisuseUse(FuzzInput input, Disk disk) {
        this.input = input;
        this.storage = disk.storage();
        this.config = input.settings().log();
        this.reading = input.settings().all();
        this.logger = open();
    }

    @Override
    public void run() {
        try (SecondThread second = new SecondThread()) {
            for (Edit edit : input.edits()) {
                step(edit, second);
            }
            reopen();
            closeTailer();
        } finally {
            closeTailer();
            Use.attempt(this::close);
        }
        kept.check(appended.values());
    }

    private void step(Edit edit, SecondThread second) {
        boolean isSecond = (edit.file() & 1) != 0;
        switch (Step.values()[edit.verb() % Step.values().length]) {
            case APPEND -> append(edit, isSecond, second);
            case COMMIT -> commit(Durability.values()[(int) (edit.value() & 3) % 3], isSecond, second);
            case SECOND_WRITER -> beRefused();
            case OVERTAKE -> mark(HolderBlock.EPOCH_OFFSET, epoch + 1 + (edit.value() & 7));
            case MARK -> mark(HolderBlock.EPOCH_OFFSET + Long.BYTES * (edit.place() % 8), edit.value());
            case NEXT -> next((edit.value() & 1) != 0);
            case GO -> go(edit);
            case HAND_OVER -> {
                if (call(isSecond, second, logger::handOver)) {
                    owner = null;
                }
            }
            case REOPEN -> reopen();
            case CLOSE_TAILER -> closeTailer();
            case CUT -> cut(edit);
        }
    }

    private void append(Edit edit, boolean isSecond, SecondThread second) {
        byte[] record = new byte[edit.place() & MAX_RECORD];
        Arrays.fill(record, (byte) edit.value());
        long number = appended.isEmpty() ? 1 : appended.lastKey() + 1;
        boolean mayBeThere = call(isSecond, second, () -> logger.append(record)) || hasFailed;
        if (mayBeThere) {
            appended.putIfAbsent(number, record);
        }
    }

    private void commit(Durability level, boolean isSecond, SecondThread second) {
        boolean wasOvertaken = isOvertaken();
        if (call(isSecond, second, () -> logger.commit(level)) && level == Durability.SYNCED) {
            Use.require(!wasOvertaken, "a writer that was overtaken acknowledged a commit");
            synced = appended.isEmpty() ? 0 : appended.lastKey();
        }
    }

    /** Whether {@code body} was done by the thread that it was to be done by. */
    private boolean call(boolean isSecond, SecondThread second, Runnable body) {
        boolean mayFail = hasFailed || isOvertaken();
        boolean isAllowed = owner == null || owner == isSecond;
        long before = logger.position();
        try {
            second.run(isSecond, body);
            Use.require(isAllowed, "a call of a thread that does not own the log was taken");
            owner = isSecond;
            return true;
        } catch (IllegalStateException refused) {
            Use.require(!isAllowed || hasFailed, "the thread that owns the log was refused: " + refused);
            Use.requireSame(before, logger.position(), "where the log ends after a call that was refused");
            return false;
        } catch (PersistException failed) {
            Use.refusal(failed);
            Use.require(mayFail, "a call failed: " + failed);
            hasFailed = true;
            return false;
        }
    }

    private void beRefused() {
        Outcome<Boolean> opened = Use.attempt(() -> {
            MessageLogger.open(config, storage).close();
            return true;
        });
        Use.require(opened.isRefused(), "a second writer has opened the log");
        Use.require(Use.attempt(() -> new LogRepair(storage).repair()).isRefused(), "the log was repaired meanwhile");
    }

    /** Another epoch than its own says that another writer has opened the log. */
    private boolean isOvertaken() {
        return epochNow() != epoch;
    }

    private long epochNow() {
        return ofHolder(block -> block.getLong(HolderBlock.EPOCH_OFFSET));
    }

    private void mark(int offset, long value) {
        ofHolder(block -> {
            block.putLong(offset, value);
            return value;
        });
    }

    private interface Look {
        long at(ByteBuffer block);
    }

    private long ofHolder(Look look) {
        try (StorageFile control = storage.open(LogFileName.CONTROL, Storage.Access.WRITE)) {
            Mapping mapping = control.map(PAGE_LENGTH);
            try {
                return look.at(mapping.buffer());
            } finally {
                mapping.close();
            }
        } catch (IOException e) {
            throw new AssertionError("the control block is gone", e);
        }
    }

    private Tailer tailer(boolean isOfLogger) {
        if (tailer == null) {
            tailer = isOfLogger ? logger.tailer(reading) : Tailer.open(storage, reading);
        }
        return tailer;
    }

    private void next(boolean isOfLogger) {
        Tailer reader = tailer(isOfLogger);
        if (reader.next()) {
            byte[] expected = appended.get(reader.sequence());
            Use.require(expected != null, "a record that was not appended: " + reader.sequence());
            kept.keep(expected, reader.payloadUntilNext(), reader.payload(), ByteBuffer.wrap(reader.payloadBytes()));
        }
    }

    /** A reader that takes the writer for dead sees less. */
    private void go(Edit edit) {
        Tailer reader = tailer(false);
        try {
            switch (edit.place() % 3) {
                case 0 -> reader.toStart();
                case 1 -> reader.toEnd();
                default -> reader.toSequence(appended.isEmpty() ? 1 : number(edit.value()));
            }
        } catch (IllegalArgumentException noSuchRecord) {
            Use.refusal(noSuchRecord);
        }
    }

    private long number(long value) {
        return appended.firstKey() + Math.floorMod(value, appended.lastKey() - appended.firstKey() + 1);
    }

    /** Once for an input: it takes real files. */
    private void cut(Edit edit) {
        if (!hasCut) {
            hasCut = true;
            new CutSegment(edit).run();
        }
    }

    private void closeTailer() {
        if (tailer != null) {
            tailer.close();
            tailer = null;
            kept.check(appended.values());
        }
    }

    private void reopen() {
        closeTailer();
        Outcome<Boolean> closed = Use.attempt(this::close);
        Use.require(!closed.isRefused() || hasFailed || isOvertaken(), "closing failed: " + closed);
        if (!closed.isRefused() && !appended.isEmpty()) {
            synced = appended.lastKey();
        }
        logger = open();
    }

    private boolean close() {
        logger.close();
        return true;
    }

    /** Opens the log, whoever the mark names: nobody is there. Reads it. */
    private MessageLogger open() {
        Outcome<MessageLogger> opened = Use.attempt(() -> MessageLogger.open(config, storage));
        if (opened.isRefused()) { // the mark may say that some process that lives holds the log
            mark(HolderBlock.PID_OFFSET, 0);
            opened = Use.attempt(() -> MessageLogger.open(config, storage));
        }
        MessageLogger next = opened.get();
        hasFailed = false;
        owner = null;
        epoch = epochNow();
        long last = next.recovery().kept().lastSequence();
        Use.require(last >= synced, "what was synced is gone: " + synced + ", last=" + last);
        appended.tailMap(last, false).clear();
        try (Tailer all = next.tailer()) {
            while (all.next()) {
                byte[] bytes = all.payloadBytes();
                byte[] before = appended.putIfAbsent(all.sequence(), bytes);
                Use.require(before == null && synced == 0 || Arrays.equals(bytes, before), "another record is there");
            }
        }
        synced = last;
        return next;
    }
}
