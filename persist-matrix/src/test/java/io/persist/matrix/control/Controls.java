package io.persist.matrix.control;

import static io.persist.matrix.control.Control.of;
import static io.persist.matrix.control.Defect.also;
import static io.persist.matrix.control.Defect.calls;
import static io.persist.matrix.control.Defect.callsSubstitute;
import static io.persist.matrix.control.Defect.empty;
import static io.persist.matrix.control.Defect.returns;
import static io.persist.matrix.control.Defect.told;
import static io.persist.matrix.control.Defect.without;

import io.persist.matrix.access.LogTakenAway;
import io.persist.matrix.access.LostLock;
import io.persist.matrix.access.ManyThreads;
import io.persist.matrix.fault.CutUnderWriter;
import io.persist.matrix.power.PowerCutEverywhere;
import io.persist.matrix.power.ReadersBeforeRecovery;
import io.persist.matrix.power.RecycledFiles;
import io.persist.matrix.power.RemountAnytime;
import io.persist.matrix.power.StoppedReader;
import io.persist.matrix.power.UnseenWriter;
import java.util.List;
import java.util.stream.Stream;

/** All of them, by what they break. docs/matrix.md has the table. */
final class Controls {

    private static final String MAPPED = "message-mapped-attached";
    private static final String FILE = "message-file-attached";
    private static final String DETACHED = "message-mapped-detached";
    private static final String STORE = "store-mapped-attached";

    /** In segments of one page the zeros ahead of the appender would get to the device with the records. */
    private static final Defect NOTHING_IS_FILLED = empty("log.segment.ZeroWriter", "write");

    private Controls() {}

    static List<Control> all() {
        return Stream.of(acknowledging(), births(), checking(), recovering(), failing(), using(), devices())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Control> acknowledging() {
        return List.of(
                of(
                        "C1",
                        "no mapping is forced",
                        PowerCutEverywhere.class,
                        MAPPED,
                        empty("log.segment.Segment", "sync")),
                of(
                        "C1",
                        "a commit is written, and not through to the device",
                        PowerCutEverywhere.class,
                        FILE,
                        also("log.sync.Syncer", "writeThrough", Substitutes.WrittenOnly.class)),
                of(
                        "C1",
                        "a commit flushes where it should sync",
                        PowerCutEverywhere.class,
                        MAPPED,
                        calls("log.write.Commits", "commit(Durability)", "sync", "flush")),
                of(
                        "C1",
                        "a detached commit does not wait",
                        PowerCutEverywhere.class,
                        DETACHED,
                        without("detached.DetachedLog", "commit(Durability)", "await")),
                of(
                        "C1",
                        "a bounded commit does not wait",
                        PowerCutEverywhere.class,
                        MAPPED,
                        without("log.engine.LogWriter", "commit(Durability,Duration)", "awaitCommit")),
                of(
                        "C1",
                        "a commit of a store does not wait",
                        PowerCutEverywhere.class,
                        STORE,
                        without("store.core.StoreCommits", "tryCommit", "await")),
                of(
                        "C1",
                        "the synced position moves before the sync",
                        PowerCutEverywhere.class,
                        MAPPED,
                        also("log.sync.UnsyncedSegments", "force(Segment,long,long)", Substitutes.SyncedFirst.class)),
                of(
                        "C1",
                        "a sync leaves out a page",
                        RecycledFiles.class,
                        MAPPED,
                        also("log.segment.Segment", "sync", Substitutes.FirstPageLeftOut.class)),
                of(
                        "C1",
                        "a log begins at its second segment",
                        PowerCutEverywhere.class,
                        MAPPED,
                        also("log.segment.LogFiles", "list", Substitutes.OldestLeftOut.class)),
                of(
                        "C1",
                        "a commit that flushes does not write",
                        Killed.class,
                        FILE,
                        empty("log.write.BufferWindow", "flush")),
                of(
                        "C16",
                        "the length is published before the payload",
                        Unfinished.class,
                        MAPPED,
                        also("log.write.Appender", "place", Substitutes.LengthFirst.class)),
                of(
                        "C16",
                        "readers of what is synced see all",
                        Unfinished.class,
                        MAPPED,
                        returns("log.read.visible.Visibility", "limit", Long.MAX_VALUE)),
                of("C3", "padding is not cleared", Unfinished.class, FILE, empty("format.Frame", "clearPadding")));
    }

    private static List<Control> births() {
        return List.of(
                of(
                        "C8",
                        "a segment is named before it is synced",
                        PowerCutEverywhere.class,
                        MAPPED,
                        without("log.segment.SegmentFactory", "create(long,String,Check)", "sync")),
                of(
                        "C8",
                        "the directory is not synced after the creation of a segment",
                        PowerCutEverywhere.class,
                        MAPPED,
                        without("log.segment.SegmentFactory", "openNew", "syncDirectory")),
                of(
                        "C8",
                        "the directory is not synced after retention",
                        UpkeepCut.class,
                        MAPPED,
                        without("log.retention.Retention", "take", "syncDirectory")),
                of(
                        "C2",
                        "what is left after a retirement is not synced",
                        UpkeepCut.class,
                        FILE,
                        without("log.engine.Log", "retire", "syncFrom")),
                of("C9", "space is not filled: it is a hole", NoHoles.class, MAPPED, NOTHING_IS_FILLED),
                of(
                        "C8",
                        "a checkpoint is named before it is synced",
                        UpkeepCut.class,
                        STORE,
                        without("store.checkpoint.CheckpointWriter", "finish", "sync")),
                of(
                        "C8",
                        "the directory is not synced after a checkpoint",
                        TwoDirectories.class,
                        STORE,
                        without("store.checkpoint.CheckpointWriter", "finish", "syncDirectory")),
                of(
                        "C1",
                        "a segment is vacated before what was moved is synced",
                        UpkeepCut.class,
                        STORE,
                        without("store.upkeep.EmptySegments", "add", "sync")),
                of(
                        "C1",
                        "a checkpoint is finished before what it names is synced",
                        TwoDirectories.class,
                        STORE,
                        without("store.checkpoint.Checkpointer", "write(Moment,Pace)", "sync")),
                of(
                        "C8",
                        "a placeholder is named before it is synced",
                        UpkeepCut.class,
                        STORE,
                        without("log.retention.PlaceholderSegment", "replace", "sync")));
    }

    private static List<Control> checking() {
        return List.of(
                of(
                        "C3",
                        "no checksum, and a record is torn",
                        PowerCutEverywhere.class,
                        MAPPED,
                        returns("format.FrameChecksum", "of", 0),
                        also("format.FrameChecksum", "ofCopy", Substitutes.NoChecksum.class),
                        returns("format.FrameWriter", "checksum", 0)),
                of(
                        "C3",
                        "no checksum, and a bit flips",
                        DamagedRecord.class,
                        MAPPED,
                        returns("format.FrameChecksum", "of", 0),
                        also("format.FrameChecksum", "ofCopy", Substitutes.NoChecksum.class),
                        returns("format.FrameWriter", "checksum", 0)),
                of(
                        "C3",
                        "a checksum without the salt",
                        MovedFrames.class,
                        MAPPED,
                        also("format.FrameChecksum", "mix", Substitutes.NoSalt.class)),
                of(
                        "C3",
                        "a checksum without the position",
                        MovedFrames.class,
                        MAPPED,
                        also("format.FrameChecksum", "mix", Substitutes.NoPosition.class)),
                of(
                        "C3",
                        "sequence numbers are not checked",
                        MovedFrames.class,
                        MAPPED,
                        returns("format.SegmentHeader", "goesOn", true)),
                of(
                        "C3",
                        "logs are not told apart",
                        MovedFrames.class,
                        MAPPED,
                        returns("format.SegmentHeader", "logId", 0L)),
                of(
                        "C3",
                        "payloads are lent where they are to be kept",
                        KeptPayloads.class,
                        MAPPED,
                        calls("log.read.RecordReader", "payload", "copy", "view")),
                of(
                        "C12",
                        "recovery does not check lengths",
                        BadLength.class,
                        MAPPED,
                        told("format.FrameScanner", "verdict", "end", Integer.MAX_VALUE)),
                of(
                        "C12",
                        "readers do not check lengths",
                        BadLength.class,
                        MAPPED,
                        told("log.read.window.SegmentReader", "load", "segmentLength", Integer.MAX_VALUE)));
    }

    private static List<Control> recovering() {
        return List.of(
                of(
                                "C5",
                                "a cut tail is not zeroed",
                                SameLengthTail.class,
                                MAPPED,
                                empty("log.recovery.TailCut", "zero"))
                        .where(NOTHING_IS_FILLED),
                of(
                                "C5",
                                "segments after a cut tail stay",
                                SameLengthTail.class,
                                MAPPED,
                                empty("log.recovery.TailCut", "removeSegment"))
                        .where(NOTHING_IS_FILLED),
                of(
                                "C5",
                                "the mark of a closed log is still there after a power cut",
                                SameLengthTail.class,
                                MAPPED,
                                without("log.engine.LogOpener", "markOpen", "force"))
                        .where(NOTHING_IS_FILLED),
                of(
                        "C2",
                        "a file that was used before is taken for a new one",
                        RecycledTail.class,
                        MAPPED,
                        returns("format.SegmentHeader", "isReused", false)),
                of(
                        "C2",
                        "nothing tells frames of a file's earlier life from others",
                        RecycledTail.class,
                        MAPPED,
                        also("format.FrameChecksum", "mix", Substitutes.NoSalt.class),
                        also("format.FrameChecksum", "mix", Substitutes.NoPosition.class),
                        returns("format.SegmentHeader", "goesOn", true)),
                of(
                        "C5",
                        "the begin of a record in a segment ahead is not seen",
                        RecycledAhead.class,
                        MAPPED,
                        returns("log.segment.StoredBytes", "hasHeaders", false)),
                of(
                        "C16",
                        "readers take what a file's earlier life has left for damage",
                        RecycledTail.class,
                        MAPPED,
                        returns("log.read.visible.Visibility", "endsAt", false)),
                of(
                        "C4",
                        "nothing counts as acknowledged",
                        DamagedRecord.class,
                        MAPPED,
                        empty("log.recovery.LogScan", "noteSynced")),
                of(
                        "C2",
                        "the hint is trusted after a power cut",
                        SameLengthTail.class,
                        FILE,
                        calls("log.recovery.ScanStart", "find", "syncedHint", "hint"),
                        returns("log.recovery.ScanStart", "isSynced", true)),
                of(
                        "C2",
                        "the hint is trusted on the same boot",
                        RemountAnytime.class,
                        MAPPED,
                        calls("log.recovery.ScanStart", "find", "syncedHint", "hint"),
                        returns("log.recovery.ScanStart", "isSynced", true)),
                of(
                        "C4",
                        "what the control block calls flushed is believed",
                        RemountAnytime.class,
                        MAPPED,
                        calls("log.recovery.LogScan", "noteControl", "synced", "flushed")),
                of(
                        "C16",
                        "readers take a dead writer for a living one",
                        ReadersBeforeRecovery.class,
                        FILE,
                        returns("log.control.WriterWatch", "isGone", false)),
                of(
                        "C16",
                        "readers take a writer that cannot be seen for a living one",
                        UnseenWriter.class,
                        MAPPED,
                        returns("log.control.WriterWatch", "isUnseen", false)),
                of(
                        "C16",
                        "a search does not see that retention has overtaken it",
                        StoppedReader.class,
                        FILE,
                        returns("log.read.SequenceSearch", "isOvertaken", false)),
                of(
                        "C16",
                        "a view does not see that compaction has overtaken it",
                        StoppedReader.class,
                        STORE,
                        returns("store.engine.ReadStore", "hasChanged", false)),
                of(
                        "C17",
                        "recovery reads all",
                        RecoveryReads.class,
                        MAPPED,
                        empty("log.recovery.ScanStart", "newestSynced")),
                of(
                        "C6",
                        "after an error nothing is written again",
                        FailedSync.class,
                        MAPPED,
                        without("log.recovery.Recovery", "recover", "writeAgainAndSync")),
                of(
                        "C6",
                        "after a kill nothing is written again",
                        FailedSync.class,
                        MAPPED,
                        without("log.recovery.Recovery", "recover", "writeAgain")));
    }

    private static List<Control> failing() {
        return List.of(
                of(
                        "C7",
                        "a failure is forgotten, and the sync tried again",
                        FailedSync.class,
                        MAPPED,
                        also("log.sync.LogLife", "fail", Substitutes.Forgotten.class)),
                of(
                        "C7",
                        "a sync that fails counts as done",
                        ErrorEverywhere.class,
                        MAPPED,
                        also("log.segment.Segment", "sync", Substitutes.Swallowed.class)),
                of(
                        "C7",
                        "a sync does not look whether its pages are there",
                        LostPages.class,
                        MAPPED,
                        empty("memory.PageProbe", "check")),
                of(
                        "assumption 6",
                        "a checksum is made of mapped bytes",
                        CutUnderWriter.class,
                        MAPPED,
                        also("format.FrameWriter", "checksum", Substitutes.SummedUpInPlace.class)),
                of(
                        "C13",
                        "nobody learns that the writer thread is dead",
                        DeadThread.class,
                        "message-file-detached",
                        empty("log.engine.Log", "fail"),
                        without("log.write.BufferWindow", "write", "fail")),
                of(
                        "C13",
                        "nobody learns that the filler is dead",
                        DeadThread.class,
                        "message-file-detached",
                        empty("log.space.SegmentFiller", "failed")));
    }

    private static List<Control> using() {
        return List.of(
                of(
                        "C10",
                        "no lock",
                        RealDirectory.class,
                        MAPPED,
                        callsSubstitute("log.control.WriterHold", "awaitLock", "tryLock", "lockForAll")),
                of(
                        "C10",
                        "no lock of the operating system",
                        RealDirectory.class,
                        MAPPED,
                        callsSubstitute("file.disk.ProcessLock", "lockedChannel", "tryLock", "lockOfNobody")),
                of(
                        "C10",
                        "the lock is not given back",
                        RealDirectory.class,
                        MAPPED,
                        empty("file.disk.ProcessLock", "close")),
                of(
                        "C10",
                        "a new writer does not look whether the holder lives",
                        LostLock.class,
                        MAPPED,
                        returns("log.control.WriterPresence", "isSelf", true)),
                of(
                        "C10",
                        "a writer that was overtaken goes on",
                        LostLock.class,
                        MAPPED,
                        returns("log.sync.LogPositions", "isOvertaken", false)),
                of(
                                "C10",
                                "an attached log lets in every thread",
                                ManyThreads.class,
                                MAPPED,
                                returns("log.write.AppenderOwner", "isCurrent", true))
                        .inItsOwnJvm(),
                of(
                        "C10",
                        "nobody looks whether the log is still there",
                        LogTakenAway.class,
                        MAPPED,
                        empty("log.sync.FilesInPlace", "check*")),
                of(
                        "C11",
                        "an interrupt gets to the channels",
                        RealDirectory.class,
                        MAPPED,
                        also("file.disk.Interrupts", "shield", Substitutes.Unshielded.class)),
                of(
                        "C15",
                        "segments stay open",
                        PowerCutEverywhere.class,
                        MAPPED,
                        empty("log.segment.Segment", "close")),
                of("C15", "mappings stay", RealDirectory.class, MAPPED, empty("file.disk.DiskMapping", "close")),
                of("C15", "descriptors stay", RealDirectory.class, FILE, empty("file.disk.DiskFile", "close")));
    }

    private static List<Control> devices() {
        return List.of(
                of(
                        "assumption 2",
                        "the device lies about msync",
                        PowerCutEverywhere.class,
                        MAPPED,
                        also("matrix.Work", "run", Substitutes.LyingForce.class)),
                of(
                        "assumption 2",
                        "the device lies about fsync",
                        PowerCutEverywhere.class,
                        FILE,
                        also("matrix.Work", "run", Substitutes.LyingSync.class)),
                of(
                        "assumption 2",
                        "the device lies about the fsync of a directory",
                        PowerCutEverywhere.class,
                        STORE,
                        also("matrix.Work", "run", Substitutes.LyingDirectory.class)));
    }
}
