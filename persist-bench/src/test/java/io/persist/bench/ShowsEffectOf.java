package io.persist.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test that runs a program and sees what a flag does there: to its files, its threads, its system calls, or its
 * output. What the parameters block says is no effect. {@link FlagEffectsTest} wants one for each flag of each program.
 *
 * <p>With {@code -DignoredFlag=--rate} the programs run as if that flag had not been given, and each test that shows
 * its effect has to fail.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface ShowsEffectOf {

    /** The long names of flags. */
    String[] value();

    /** The programs; to be left out of a test that takes the program as its parameter. */
    Program.Kind[] in() default {};
}
