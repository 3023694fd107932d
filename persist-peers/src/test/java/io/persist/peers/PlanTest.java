package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.persist.command.CommandLine;
import io.persist.command.UsageException;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
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

    static Plan plan(String... args) {
        return Plan.of(flags(args), Long.MAX_VALUE);
    }

    @Test
    void shouldLetEnginesTakeTurnsAndEachRoundBeginWithAnotherOne() {
        Plan plan = plan("--engines", "bare-copy,persist-file,persist", "--modes", "sync,buffered", "--rounds", "2");

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
        Plan plan = plan(
                "--engines",
                "persist,bare-fdatasync,bare-direct",
                "--modes",
                "buffered-prepared,sync-prepared,listen-process,replay");

        assertThat(plan.engines(Mode.BUFFERED_PREPARED)).containsExactly("persist", "bare-fdatasync");
        assertThat(plan.engines(Mode.SYNC_PREPARED)).containsExactly("persist", "bare-fdatasync", "bare-direct");
        assertThat(plan.engines(Mode.LISTEN_PROCESS)).containsExactly("persist");
        assertThat(plan.leftOut(Mode.LISTEN_PROCESS).stream().map(Plan.LeftOut::engine))
                .containsExactly("bare-fdatasync", "bare-direct");
        assertThat(plan.leftOut(Mode.SYNC_PREPARED)).isEmpty();
        assertThat(Arrays.stream(Mode.values())
                        .filter(mode -> mode.excludes(Engines.byId("aeron-live").orElseThrow())
                                .isEmpty()))
                .containsExactly(Mode.LISTEN_THREAD, Mode.LISTEN_PROCESS);
    }

    @Test
    void shouldLeaveOutWhatIsForOtherSpaceAndWhatCannotBeSustained() {
        Plan plan = plan(
                "--engines",
                "persist,sqlite,artemis-nio,bare-copy,bare-dsync,bare-sequential",
                "--modes",
                "sustained,sync,sync-prepared");

        assertThat(plan.engines(Mode.SUSTAINED)).containsExactly("persist", "bare-copy", "bare-sequential");
        assertThat(plan.engines(Mode.SYNC))
                .containsExactly("persist", "artemis-nio", "sqlite", "bare-copy", "bare-sequential");
        assertThat(plan.engines(Mode.SYNC_PREPARED))
                .containsExactly("persist", "artemis-nio", "sqlite", "bare-copy", "bare-dsync");
        assertThat(plan.leftOut(Mode.SYNC_PREPARED))
                .extracting(Plan.LeftOut::engine, Plan.LeftOut::reason)
                .containsExactly(tuple("bare-sequential", "prepares nothing"));
        assertThat(plan.leftOut(Mode.SUSTAINED))
                .extracting(Plan.LeftOut::engine)
                .containsExactly("artemis-nio", "sqlite", "bare-dsync");
    }

    @Test
    void shouldSayInTheNameWhichSpaceIsPrepared() {
        assertThat(Mode.values())
                .allSatisfy(
                        mode -> assertThat(mode.id().endsWith("-prepared")).isEqualTo(mode.space() == Space.PREPARED));
    }

    @Test
    void shouldSustainALoadByBytesAndTimeAndLeaveRoomOnTheDisk() {
        String[] args = {"--engines", "persist", "--modes", "sustained", "--rounds", "1"};
        Trial whole = plan(args).trials().get(0);
        Trial capped = Plan.of(flags(args), 20_000_000_000L).trials().get(0);

        assertThat(whole.leastMessages()).isEqualTo(5_000_000_000L / 256);
        assertThat(whole.messages()).isEqualTo(40_000_000_000L / 256);
        assertThat(whole.seconds()).isEqualTo(20);
        assertThat(capped.leastMessages()).isEqualTo(whole.leastMessages());
        assertThat(capped.messages()).isEqualTo(8_000_000_000L / 256);
        assertThatThrownBy(() -> Plan.of(flags(args), 12_000_000_000L))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(
                        "a sustained load of 5.0 GB needs room for 12.5 GB, but only 11.2 GiB are free in .;"
                                + " give a smaller --sustained-gb, or another --dir");
        Trial small = plan("--modes", "sustained", "--sustained-gb", "0.001", "--sustained-seconds", "0.5")
                .trials()
                .get(0);
        assertThat(small.leastMessages()).isEqualTo(3906);
        assertThat(small.seconds()).isEqualTo(0.5);
    }

    @Test
    void shouldSustainALoadOnlyIfThatIsWanted() {
        assertThat(flags().modes()).hasSize(Mode.values().length - 1).doesNotContain(Mode.SUSTAINED);
        assertThat(flags("--modes", "all").modes()).contains(Mode.SUSTAINED);
        assertThat(flags().timeout(Mode.SYNC)).isEqualTo(Duration.ofSeconds(300));
        assertThat(flags().timeout(Mode.BUFFERED)).isEqualTo(Duration.ofMinutes(15));
        assertThat(flags().timeout(Mode.SUSTAINED)).isEqualTo(Duration.ofMinutes(15));
        assertThat(flags("--timeout", "7").timeout(Mode.SUSTAINED)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void shouldGiveLongTrialsTheTimeThatTheyTake() {
        assertThat(flags("--sustained-seconds", "3600").timeout(Mode.SUSTAINED)).isGreaterThan(Duration.ofHours(2));
        assertThat(flags("--seconds", "200").timeout(Mode.SYNC)).isGreaterThan(Duration.ofSeconds(400));
        assertThat(flags("--seconds", "100").timeout(Mode.OPEN_LOOP)).isGreaterThan(Duration.ofSeconds(2000));
        assertThat(flags("--seconds", "1", "--warmup", "200").timeout(Mode.SYNC))
                .isGreaterThan(Duration.ofSeconds(400));
    }

    @Test
    void shouldRefuseATimeoutThatKillsEachTrial() {
        assertThatThrownBy(() -> plan("--modes", "sustained", "--sustained-seconds", "30", "--timeout", "30"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--timeout 30 kills each trial of sustained, which takes 30 s at least; give more");
        assertThatThrownBy(() -> plan("--modes", "open-loop", "--seconds", "3", "--timeout", "10"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--timeout 10 kills each trial of open-loop, which takes 20 s at least");
        assertThat(plan("--modes", "buffered", "--seconds", "30", "--timeout", "10")
                        .trials())
                .isNotEmpty();
    }

    @Test
    void shouldTakeAnEmptyListForAMistake() {
        for (String flag : List.of("--engines", "--modes")) {
            for (String empty : List.of("", ",", " ")) {
                assertThatThrownBy(() -> flags(flag, empty))
                        .as(flag + " '" + empty + "'")
                        .isInstanceOf(UsageException.class)
                        .hasMessage(flag + " is empty, as by a variable that is unset; name some, or leave it out");
            }
        }
    }

    @Test
    void shouldProfileEachEngineOnceInNoRound() {
        Plan plan = plan("--engines", "bare-copy,persist", "--modes", "sync,buffered", "--rounds", "2");

        assertThat(plan.profiled(Mode.SYNC))
                .allMatch(Trial::isProfiled)
                .extracting(Trial::engine, Trial::turn)
                .containsExactly(tuple("persist", "profile"), tuple("bare-copy", "profile"));
        assertThat(plan.trials()).noneMatch(Trial::isProfiled).hasSize(8);
        assertThat(plan.engines(Mode.SYNC)).hasSize(2);
    }

    @Test
    void shouldBoundTrialsByMessagesTimeAndRate() {
        Plan plan = plan(
                "--engines", "persist", "--rounds", "1", "--seconds", "2", "--rate", "30000", "--messages", "1234567");

        assertThat(trial(plan, Mode.BUFFERED).messages()).isEqualTo(1_234_567);
        assertThat(trial(plan, Mode.BUFFERED).seconds()).isEqualTo(4);
        assertThat(trial(plan, Mode.BUFFERED).warmupMessages()).isEqualTo(1_234_567);
        assertThat(trial(plan, Mode.OPEN_LOOP_PREPARED).warmupMessages()).isEqualTo(1_234_567);
        assertThat(trial(plan, Mode.SYNC).warmupMessages()).isEqualTo(200_000);
        assertThat(plan("--size", "1048576").trials())
                .allSatisfy(each -> assertThat(each.warmupMessages()).isBetween(200L, 512L));
        assertThat(trial(plan, Mode.OPEN_LOOP).messages()).isEqualTo(600_000);
        assertThat(trial(plan, Mode.OPEN_LOOP_PREPARED).messages()).isEqualTo(60_000);
        assertThat(trial(plan, Mode.OPEN_LOOP_500K).rate()).isEqualTo(500_000);
        assertThat(trial(plan, Mode.OPEN_LOOP_500K).messages()).isEqualTo(1_234_567);
        assertThat(trial(plan, Mode.OPEN_LOOP_500K_PREPARED).rate()).isEqualTo(500_000);
        assertThat(trial(plan, Mode.OPEN_LOOP_500K_PREPARED).messages()).isEqualTo(1_000_000);
        assertThat(trial(plan, Mode.LISTEN_THREAD).rate()).isEqualTo(3000);
        assertThat(trial(plan, Mode.SYNC).messages()).isEqualTo(200_000);
        assertThat(trial(plan, Mode.SYNC_100).messages()).isEqualTo(1_234_500);
        assertThat(trial(plan, Mode.REOPEN).messages()).isEqualTo(4 << 20);
        assertThat(trial(plan, Mode.REOPEN).seconds()).isEqualTo(20);
        assertThat(trial(plan, Mode.REPLAY).seconds()).isEqualTo(20);
        assertThat(trial(plan, Mode.OPEN_LOOP).seconds()).isEqualTo(20);
        assertThat(trial(plan, Mode.OPEN_LOOP_PREPARED).seconds()).isEqualTo(2);
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
