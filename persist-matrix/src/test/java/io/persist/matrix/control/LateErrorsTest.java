package io.persist.matrix.control;

import io.persist.matrix.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link LateErrors} with all places at which threads meet. */
final class LateErrorsTest {

    private static final List<String> CLASSES = List.of(
            "log.thread.Turn",
            "log.sync.Syncer",
            "log.sync.Waiters",
            "log.sync.WaiterList",
            "log.sync.Signal",
            "log.sync.Listeners",
            "log.sync.LogPositions",
            "log.sync.LogLife",
            "log.engine.LogClosing",
            "log.sync.BackgroundSyncer",
            "log.write.Commits",
            "log.sync.Completion",
            "log.write.Appender",
            "log.write.AppenderPlace",
            "log.write.AppenderGate",
            "log.write.AppenderOwner",
            "log.space.SegmentFiller",
            "log.space.SegmentSupply",
            "log.space.Headroom",
            "log.space.FilledSpace",
            "log.sync.UnsyncedSegments",
            "log.control.ControlFile",
            "store.core.StoreCore",
            "store.core.StoreLock",
            "store.core.Lookups",
            "store.upkeep.Upkeep",
            "store.upkeep.Compactor",
            "store.upkeep.EmptySegments",
            "store.checkpoint.Checkpointer",
            "store.read.Snapshots",
            "store.core.Settler",
            "store.core.StoreCommits",
            "store.core.LargeCommits",
            "store.engine.SegmentEnd",
            "detached.HandoffQueue",
            "detached.QueueProducer",
            "detached.QueueEntry",
            "detached.DetachedCompletion",
            "detached.DetachedWriter");

    private static final Map<String, byte[]> ALL_PLACES = BrokenBuild.classFiles(CLASSES.stream()
            .map(type -> Defect.also(type, "*", LateError.Places.class))
            .toList());

    static List<Subject> subjects() {
        return new LateErrors().subjects();
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void shouldLeaveNobodyWaiting(Subject subject) throws Throwable {
        new BrokenBuild(ALL_PLACES).run(LateErrors.class, subject, "late errors with " + subject);
    }

    static List<Subject> stores() {
        return new LateErrorInCall().subjects();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void shouldLeaveTheStoreToOthers(Subject subject) throws Throwable {
        new BrokenBuild(ALL_PLACES).run(LateErrorInCall.class, subject, "late errors in calls of " + subject);
    }

    /** Between two steps of a roll: the next one must not begin in the midst of them. */
    @ParameterizedTest
    @MethodSource("subjects")
    void shouldLeaveOutNoSegment(Subject subject) throws Throwable {
        List<Defect> places = List.of(
                Defect.also("log.space.Headroom", "next", LateError.Places.class),
                Defect.also("log.space.FilledSpace", "take", LateError.Places.class),
                Defect.also("log.write.Appender", "enter", LateError.Places.class));
        new BrokenBuild(places).run(LateErrors.class, subject, "late errors in rolls with " + subject);
    }

    static List<Subject> detached() {
        return new LateErrors().subjects().stream().filter(Subject::isDetached).toList();
    }

    /** Between the claim of an entry and its publication, for which all that is behind it waits. */
    @ParameterizedTest
    @MethodSource("detached")
    void shouldLeaveNoEntryUnpublished(Subject subject) throws Throwable {
        List<Defect> places = List.of(Defect.also("detached.HandoffQueue", "claim", LateError.Places.class));
        new BrokenBuild(places).run(LateErrors.class, subject, "late errors in claims with " + subject);
    }

    /** Of what was opened, or is held, there is somebody at each moment who gives it back. */
    @ParameterizedTest
    @CsvSource({
        "log.control.ControlFile, open*, message-mapped-attached",
        "store.upkeep.SegmentChoice, isUnknown, store-mapped-attached",
        "store.core.StoreCore, lockedAnyway(Runnable), store-mapped-attached"
    })
    void shouldLeaveNoFileOpen(String type, String method, String subject) throws Throwable {
        List<Defect> places = List.of(Defect.also(type, method, LateError.Places.class));
        new BrokenBuild(places).run(LateErrors.class, Subject.named(subject), "late errors in " + method);
    }

    /** A thread that waits looks around now and then; a future depends on who completes it. */
    @ParameterizedTest
    @MethodSource("subjects")
    void shouldLeaveNoFutureIncomplete(Subject subject) throws Throwable {
        List<Defect> places = List.of(Defect.also("log.sync.Signal", "completeFutures", LateError.Places.class));
        new BrokenBuild(places).run(LateErrors.class, subject, "late errors before futures with " + subject);
    }
}
