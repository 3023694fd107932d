package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.persist.bench.CommandLine;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which trials there are, in which order, and how large they are. */
class PlanTest {

    static PeersParameters flags(String... args) {
        PeersParameters flags = new PeersParameters();
        CommandLine.of(flags).parse(args);
        flags.validate();
        return flags;
    }

    @Test
    void shouldLetEnginesTakeTurnsAndEachRoundBeginWithAnotherOne() {
        Plan plan = Plan.of(
                flags("--engines", "bare-copy,persist-file,persist", "--modes", "sync,buffered", "--rounds", "2"));

        assertThat(plan.trials().stream().map(each -> each.mode().id() + each.round() + " " + each.engine()))
                .containsExactly(
                        "buffered1 persist",
                        "buffered1 persist-file",
                        "buffered1 bare-copy",
                        "buffered2 persist-file",
                        "buffered2 bare-copy",
                        "buffered2 persist",
                        "sync1 persist",
                        "sync1 persist-file",
                        "sync1 bare-copy",
                        "sync2 persist-file",
                        "sync2 bare-copy",
                        "sync2 persist");
    }

    @Test
    void shouldLeaveOutWhatSyncsEachAppendAndWhatCannotBeReadMeanwhile() {
        Plan plan = Plan.of(flags(
                "--engines", "persist,bare-fdatasync,bare-direct", "--modes", "buffered,sync,listen-process,replay"));

        assertThat(plan.engines(Mode.BUFFERED)).containsExactly("persist", "bare-fdatasync");
        assertThat(plan.engines(Mode.SYNC)).containsExactly("persist", "bare-fdatasync", "bare-direct");
        assertThat(plan.engines(Mode.LISTEN_PROCESS)).containsExactly("persist");
        assertThat(plan.leftOut(Mode.LISTEN_PROCESS).stream().map(Plan.LeftOut::engine))
                .containsExactly("bare-fdatasync", "bare-direct");
        assertThat(plan.leftOut(Mode.SYNC)).isEmpty();
    }

    @Test
    void shouldProfileEachEngineOnceInNoRound() {
        Plan plan = Plan.of(flags("--engines", "bare-copy,persist", "--modes", "sync,buffered", "--rounds", "2"));

        assertThat(plan.profiled(Mode.SYNC))
                .allMatch(Trial::isProfiled)
                .extracting(Trial::engine, Trial::turn)
                .containsExactly(tuple("persist", "profile"), tuple("bare-copy", "profile"));
        assertThat(plan.trials()).noneMatch(Trial::isProfiled).hasSize(8);
        assertThat(plan.engines(Mode.SYNC)).hasSize(2);
    }

    @Test
    void shouldBoundTrialsByMessagesTimeAndRate() {
        Plan plan = Plan.of(flags(
                "--engines", "persist", "--rounds", "1", "--seconds", "2", "--rate", "30000", "--messages", "1234567"));

        assertThat(trial(plan, Mode.BUFFERED).messages()).isEqualTo(1_234_567);
        assertThat(trial(plan, Mode.OPEN_LOOP).messages()).isEqualTo(60_000);
        assertThat(trial(plan, Mode.OPEN_LOOP_500K).rate()).isEqualTo(500_000);
        assertThat(trial(plan, Mode.OPEN_LOOP_500K).messages()).isEqualTo(1_000_000);
        assertThat(trial(plan, Mode.LISTEN_THREAD).rate()).isEqualTo(3000);
        assertThat(trial(plan, Mode.SYNC).messages()).isEqualTo(200_000);
        assertThat(trial(plan, Mode.SYNC_100).messages()).isEqualTo(1_234_500);
        assertThat(trial(plan, Mode.REOPEN).messages()).isEqualTo(4 << 20);
        assertThat(trial(plan, Mode.REOPEN).seconds()).isEqualTo(20);
        assertThat(plan.neededBytes()).isBetween(2L << 30, 4L << 30);
    }

    private static Trial trial(Plan plan, Mode mode) {
        List<Trial> trials =
                plan.trials().stream().filter(each -> each.mode() == mode).toList();
        assertThat(trials).hasSize(1);
        return trials.get(0);
    }

    @Test
    void shouldBeSmallWhenQuickButDoWhatIsGiven() {
        PeersParameters flags = flags("--quick", "--rounds", "2");

        assertThat(flags.rounds()).isEqualTo(2);
        assertThat(flags.seconds()).isEqualTo(0.2);
        assertThat(flags.reopenMib()).isEqualTo(64);
        assertThat(flags().rounds()).isEqualTo(3);
    }
}
